// How many requests the scripted model server answers, client included, beside a server that does nothing.
import { measure, printTable } from './measure.mjs';

const LOAD = new URL('wire-load.mjs', import.meta.url).pathname;

export async function wire({ repeats, conversations }) {
  const run = (bare) =>
    measure([LOAD], { repeats, environment: { CONVERSATIONS: String(conversations), BARE: bare } });
  const [bare, scripted] = [await run('1'), await run('0')];
  printTable(`Scripted model server, ${conversations.toLocaleString('en')} conversations of two requests`, [
    ['bare http server', bare],
    ['scripted server', scripted],
  ]);
  console.log(`requests a second: bare ${bare.output.trim()}, scripted ${scripted.output.trim()}`);
}
