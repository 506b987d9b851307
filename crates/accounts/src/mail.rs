//! What people get by mail, in their language, and the port that sends it.

use async_trait::async_trait;
use btp_kernel::BoxError;

use crate::{Email, Locale};

/// Sends mails.
#[async_trait]
pub trait Mailer: Send + Sync {
    /// Sends a mail. Its link is a secret: it belongs in no log.
    ///
    /// # Errors
    /// Anything of the way out.
    async fn send(&self, mail: &Mail<'_>) -> Result<(), BoxError>;
}

/// A mail to one person.
#[derive(Debug)]
pub struct Mail<'a> {
    /// To whom.
    pub to: &'a Email,
    /// In which language.
    pub locale: Locale,
    /// What it says.
    pub letter: Letter<'a>,
    /// Address of the server that sends it.
    pub base: &'a str,
}

/// What a mail says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Letter<'a> {
    /// The link that signs in.
    SignIn {
        /// The link.
        link: &'a str,
    },
    /// The link that makes an account and signs in.
    SignUp {
        /// The link.
        link: &'a str,
    },
    /// The link that makes this the address of an account.
    ConfirmAddress {
        /// The link.
        link: &'a str,
    },
    /// To the address that is no longer the account's.
    AddressChanged {
        /// The account's address now.
        now: &'a Email,
    },
    /// The account is gone.
    AccountDeleted,
}

impl<'a> Letter<'a> {
    /// The link in it.
    pub const fn link(&self) -> Option<&'a str> {
        match self {
            Self::SignIn { link } | Self::SignUp { link } | Self::ConfirmAddress { link } => Some(link),
            Self::AddressChanged { .. } | Self::AccountDeleted => None,
        }
    }

    /// What it is about, in a few words.
    pub const fn subject(&self, locale: Locale) -> &'static str {
        match (self, locale) {
            (Self::SignIn { .. }, Locale::En) => "Your sign-in link",
            (Self::SignIn { .. }, Locale::Fr) => "Votre lien de connexion",
            (Self::SignUp { .. }, Locale::En) => "Your account on Bike Trip Planner",
            (Self::SignUp { .. }, Locale::Fr) => "Votre compte sur Bike Trip Planner",
            (Self::ConfirmAddress { .. }, Locale::En) => "Confirm your new e-mail address",
            (Self::ConfirmAddress { .. }, Locale::Fr) => "Confirmez votre nouvelle adresse e-mail",
            (Self::AddressChanged { .. }, Locale::En) => "Your e-mail address was changed",
            (Self::AddressChanged { .. }, Locale::Fr) => "Votre adresse e-mail a été modifiée",
            (Self::AccountDeleted, Locale::En) => "Your account was deleted",
            (Self::AccountDeleted, Locale::Fr) => "Votre compte a été supprimé",
        }
    }

    fn body(&self, locale: Locale) -> String {
        match (self, locale) {
            (Self::SignIn { link }, Locale::En) => format!(
                "Open this link to sign in. It works once, within 30 minutes:\n\n{link}\n\n\
                 If you did not ask for it, somebody typed your address: nothing happens unless you open the link."
            ),
            (Self::SignIn { link }, Locale::Fr) => format!(
                "Ouvrez ce lien pour vous connecter. Il fonctionne une fois, pendant 30 minutes :\n\n{link}\n\n\
                 Si vous ne l’avez pas demandé, quelqu’un a saisi votre adresse : rien ne se passe tant que vous n’ouvrez pas le lien."
            ),
            (Self::SignUp { link }, Locale::En) => format!(
                "Open this link to make your account and sign in. It works once, within 30 minutes:\n\n{link}\n\n\
                 If you did not ask for it, ignore this mail: no account is made."
            ),
            (Self::SignUp { link }, Locale::Fr) => format!(
                "Ouvrez ce lien pour créer votre compte et vous connecter. Il fonctionne une fois, pendant 30 minutes :\n\n{link}\n\n\
                 Si vous ne l’avez pas demandé, ignorez ce message : aucun compte n’est créé."
            ),
            (Self::ConfirmAddress { link }, Locale::En) => format!(
                "Open this link, in the browser where you are signed in, to make this the address of your account. It \
                 works once, within 30 minutes:\n\n{link}\n\n\
                 Every application that may act for you then has to ask you again. If you did not ask for the change, \
                 ignore this mail."
            ),
            (Self::ConfirmAddress { link }, Locale::Fr) => format!(
                "Ouvrez ce lien, dans le navigateur où vous êtes connecté, pour que cette adresse devienne celle de votre \
                 compte. Il fonctionne une fois, pendant 30 minutes :\n\n{link}\n\n\
                 Chaque application autorisée devra ensuite vous redemander l’autorisation. Si vous n’avez pas demandé ce \
                 changement, ignorez ce message."
            ),
            (Self::AddressChanged { now }, Locale::En) => format!(
                "Your account now has the address {}. This address no longer signs you in, and no application acts for \
                 you any more until you authorize it again.\n\n\
                 If this was not you, somebody used a browser in which you were signed in, and has the account until it is \
                 given back to you. Whoever runs the server can do that: forward them this mail at once, from this address.",
                now.as_str()
            ),
            (Self::AddressChanged { now }, Locale::Fr) => format!(
                "Votre compte a désormais l’adresse {}. Celle-ci ne permet plus de vous connecter, et plus aucune \
                 application n’agit pour vous tant que vous ne l’autorisez pas à nouveau.\n\n\
                 Si ce n’était pas vous, quelqu’un a utilisé un navigateur où vous étiez connecté, et détient le compte tant \
                 qu’il ne vous est pas rendu. La personne qui gère le serveur peut le faire : transférez-lui ce message tout \
                 de suite, depuis cette adresse.",
                now.as_str()
            ),
            (Self::AccountDeleted, Locale::En) => {
                "Your account was deleted with all its trips, and no application acts for you any more. Nothing is kept.\n\n\
                 If this was not you, tell whoever runs the server."
                    .to_owned()
            }
            (Self::AccountDeleted, Locale::Fr) => {
                "Votre compte a été supprimé avec tous ses voyages, et plus aucune application n’agit pour vous. Rien n’est conservé.\n\n\
                 Si ce n’était pas vous, prévenez la personne qui gère le serveur."
                    .to_owned()
            }
        }
    }
}

impl Mail<'_> {
    /// What it is about.
    pub const fn subject(&self) -> &'static str {
        self.letter.subject(self.locale)
    }

    /// The whole text.
    pub fn text(&self) -> String {
        format!("{}\n\n-- \nBike Trip Planner\n{}\n", self.letter.body(self.locale), self.base)
    }
}
