"""Reads a FIT file with its maker's SDK and says as JSON what it holds."""

import json
import sys

from garmin_fit_sdk import Decoder, Stream

path = sys.argv[1]
sound = Decoder(Stream.from_file(path)).check_integrity()
messages, errors = Decoder(Stream.from_file(path)).read(convert_datetimes_to_dates=False)
degrees = 180 / 2**31


def place(message, suffix=""):
    lat, lon = message.get("position_lat"), message.get("position_long")
    return [lat * degrees, lon * degrees, message.get("altitude"), message["distance"], message["timestamp"]]


json.dump(
    {
        "sound": sound,
        "errors": [str(error) for error in errors],
        "kind": messages["file_id_mesgs"][0]["type"],
        "name": messages["course_mesgs"][0]["name"],
        "records": [place(record) for record in messages["record_mesgs"]],
        "points": [[point["name"], *place(point)] for point in messages["course_point_mesgs"]],
        "lap": messages["lap_mesgs"][0]["total_distance"],
    },
    sys.stdout,
)
