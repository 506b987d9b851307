"""The official Python SDK at 2026-07-28: signs in, then plans, changes and deletes a trip.

Talks to whoever started it in lines of JSON: prints {"authorize": url} and reads the address that the person was sent
back to; prints {"done": ...} at the end.
"""

import asyncio
import json
import sys
import uuid
from urllib.parse import parse_qs, urlsplit

import httpx2
from mcp import Client, MCPError
from mcp.client.auth import AuthorizationCodeResult, OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import OAuthClientInformationFull, OAuthClientMetadata

URL, CLIENT_ID, CALLBACK = sys.argv[1:4]


class Memory:
    def __init__(self):
        self.tokens = None
        self.client = OAuthClientInformationFull(
            client_id=CLIENT_ID, redirect_uris=[CALLBACK], token_endpoint_auth_method="none"
        )

    async def get_tokens(self):
        return self.tokens

    async def set_tokens(self, tokens):
        self.tokens = tokens

    async def get_client_info(self):
        return self.client

    async def set_client_info(self, client):
        self.client = client


def say(**what):
    print(json.dumps(what), flush=True)


async def redirect(url):
    say(authorize=url)


async def callback():
    back = parse_qs(urlsplit(await asyncio.to_thread(sys.stdin.readline)).query)
    return AuthorizationCodeResult(code=back["code"][0], state=back["state"][0], iss=back["iss"][0])


async def call(client, tool, **arguments):
    answer = await client.call_tool(tool, arguments)
    assert not answer.is_error, answer.content
    return answer.structured_content


async def refused(client, words, tool, **arguments):
    try:
        await client.call_tool(tool, arguments)
    except MCPError as refusal:
        assert words in str(refusal), refusal
    else:
        raise AssertionError(f"{tool} was not refused")


async def confirmed(client, tool, **arguments):
    asked = await call(client, tool, **arguments)
    assert asked["confirmationRequired"], asked
    return await call(client, tool, **arguments, confirmationToken=asked["confirmationToken"])


async def change(client, trip):
    """Every tool that changes a trip."""
    ids = {"tripId": trip["id"], "stageId": trip["stages"][0]["stageId"]}
    edited = await call(client, "edit_stages", **ids, version=trip["version"], action="rest_day")
    edited = await call(client, "choose_accommodation", **ids, version=edited["version"])
    longer = {"id": trip["id"], "version": edited["version"], "maxDistancePerDay": 120}
    changed = await confirmed(client, "update_trip_settings", **longer)
    recut = await call(client, "get_trip", id=trip["id"])
    assert recut["version"] == changed["version"] and len(recut["stages"]) < len(trip["stages"]), recut
    shared = await call(client, "share_trip", tripId=trip["id"])
    assert shared["url"].endswith("/s/" + shared["shortCode"]), shared
    await confirmed(client, "unshare_trip", tripId=trip["id"])
    ids["stageId"] = recut["stages"][0]["stageId"]
    await refused(client, "map data", "add_waypoint", **ids, waypointLat=46.6, waypointLon=2.1)
    await refused(client, "map data", "analyze_trip", id=trip["id"])


async def settled(client, trip):
    for _ in range(200):
        answer = await call(client, "get_trip", id=trip)
        if not answer["partial"]:
            return answer
        await asyncio.sleep(0.1)
    raise TimeoutError("the trip did not settle")


async def main():
    metadata = OAuthClientMetadata(client_name="interop", redirect_uris=[CALLBACK], token_endpoint_auth_method="none")
    auth = OAuthClientProvider(URL, metadata, Memory(), redirect_handler=redirect, callback_handler=callback)
    async with httpx2.AsyncClient(auth=auth, timeout=30) as http:
        async with Client(streamable_http_client(URL, http_client=http), mode="2026-07-28") as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            found = await call(client, "search_places", q="besancon", limit=1)
            assert found["member"][0]["name"] == "Besançon", found
            created = await call(
                client,
                "create_trip",
                sourceUrl="https://ridewithgps.com/routes/123456",
                idempotencyKey=str(uuid.uuid4()),
            )
            trip = await settled(client, created["id"])
            assert trip["status"] == "ready", trip
            day = await call(client, "get_stage", tripId=trip["id"], stageId=trip["stages"][0]["stageId"])
            assert day["dayNumber"] == 1, day
            listed = await call(client, "list_trips")
            assert trip["id"] in [line["id"] for line in listed["member"]], listed
            await change(client, trip)
            await confirmed(client, "delete_trip", id=trip["id"])
            say(done={"tools": tools, "days": len(trip["stages"])})


asyncio.run(main())
