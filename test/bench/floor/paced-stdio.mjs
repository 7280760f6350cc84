// The raw agent, also with chunks at a rate: "stream:N@R" sends N chunks, chunk i due i / R seconds after the first.
import { setTimeout as sleep } from 'node:timers/promises';
import { makeAgent } from './raw-core.mjs';
let out = []; let scheduled = false;
const flush = () => { scheduled = false; process.stdout.write(out.join('')); out = []; };
const send = (o) => { out.push(JSON.stringify(o) + '\n'); if (!scheduled) { scheduled = true; setImmediate(flush); } };
const agent = makeAgent(send);
async function paced(id, sessionId, count, rate) {
  const start = performance.now();
  for (let i = 0; i < count; i++) {
    const early = start + (i * 1000) / rate - performance.now();
    if (early > 0) await sleep(early);
    send({ jsonrpc: '2.0', method: 'session/update', params: { sessionId, update: { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `tok${i} ` } } } });
  }
  send({ jsonrpc: '2.0', id, result: { stopReason: 'end_turn' } });
}
let rest = '';
process.stdin.on('data', (b) => {
  const lines = (rest + b).split('\n'); rest = lines.pop();
  for (const line of lines) {
    const m = JSON.parse(line); const at = /^stream:(\d+)@(\d+)$/.exec(m.params?.prompt?.[0]?.text ?? '');
    if (at) void paced(m.id, m.params.sessionId, +at[1], +at[2]); else agent.line(line);
  }
});
process.stdin.on('end', () => process.exit(0));
