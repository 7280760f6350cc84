"""A visit of Troupe over HTTP with the official SDK for Python: visit.py URL FOLDER.

It does what a user of the SDK does, and writes what it saw as lines of JSON, {"scene": …, …}.
"""

import asyncio
import json
import sys

from acp import PROTOCOL_VERSION, connect_to_agent, text_block
from acp.http import create_http_stream
from acp.schema import AllowedOutcome, RequestPermissionResponse


class Editor:
    """What one client hears, in order."""

    def __init__(self):
        self.heard = []
        self.news = asyncio.Condition()

    async def session_update(self, session_id, update, **kwargs):
        async with self.news:
            self.heard.append(update)
            self.news.notify_all()

    async def request_permission(self, session_id, tool_call, options, **kwargs):
        tell("question", options=sorted(option.kind for option in options))
        chosen = next(option for option in options if option.kind == "allow_once")
        return RequestPermissionResponse(outcome=AllowedOutcome(outcome="selected", option_id=chosen.option_id))

    def of(self, kind):
        return [update for update in self.heard if update.session_update == kind]

    def said(self, kind="agent_message_chunk"):
        return "".join(update.content.text for update in self.of(kind))

    def everything(self):
        return "".join(update.model_dump_json() for update in self.heard)

    async def hears(self, text):
        async with self.news:
            await self.news.wait_for(lambda: text in self.everything())


def tell(scene, **what):
    print(json.dumps({"scene": scene, **what}), flush=True)


async def enter(url):
    editor = Editor()
    agent = connect_to_agent(editor, create_http_stream(url))
    answer = await agent.initialize(protocol_version=PROTOCOL_VERSION)
    tell("initialize", protocol=answer.protocol_version, name=answer.agent_info.name)
    return editor, agent


async def visit(url, folder):
    editor, agent = await enter(url)
    session = (await agent.new_session(cwd=folder, mcp_servers=[])).session_id

    async def prompt(text, agent=agent):
        return (await agent.prompt(session_id=session, prompt=[text_block(text)])).stop_reason

    stop = await prompt("/say stream:200")
    tell("streaming", stop=stop, pieces=len(editor.of("agent_message_chunk")) > 1, text=editor.said().strip()[-13:])
    stop = await prompt("/gate")
    tell("permission", stop=stop, opened="The gate is open." in editor.said())
    sleeping = asyncio.ensure_future(prompt("/asleep"))
    await editor.hears("asleep now")
    await agent.cancel(session_id=session)
    tell("cancel", stop=await sleeping)
    stop = await prompt("/talk")
    tell("parked", stop=stop, asked="Who are you?" in editor.said())
    stop = await prompt("Ann")
    tell("answered", stop=stop, said=editor.said().endswith("Ann"))

    second, other = await enter(url)
    await other.load_session(cwd=folder, session_id=session, mcp_servers=[])
    tell("load", opened="The gate is open." in second.said(), prompts=len(second.of("user_message_chunk")))
    third, late = await enter(url)
    await late.resume_session(cwd=folder, session_id=session, mcp_servers=[])
    tell("resume", text=third.said(), prompts=len(third.of("user_message_chunk")))

    stop = await prompt("Bob", late)
    await asyncio.gather(editor.hears('"Bob"'), second.hears('"Bob"'))
    tell("two clients", stop=stop, third=third.said().endswith("Bob"))
    stop = await prompt("", other)
    tell("ended", stop=stop, bye="bye" in second.said())
    for one in (agent, other, late):
        await one.close()


asyncio.run(asyncio.wait_for(visit(*sys.argv[1:]), 60))
