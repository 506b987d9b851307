//! Cutting a line into days, by effort.
