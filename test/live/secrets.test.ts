import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decidingModel, filesBelow, run, workplace } from './support.js';

// Each is a text that occurs nowhere else. None has the shape of a key unless it says so.
const IN_ENVIRONMENT = 'sentinel-environment-93f1';
const IN_ADDRESS = 'sentinel-address-1c77';
const HEADER_KEY = 'sentinel-header-5a20';
const KEY_SHAPE = `sk-live-${'Ab3'.repeat(8)}`;
const PASSWORD = 'sentinel-password-77aa';
const SECRETS = [IN_ENVIRONMENT, IN_ADDRESS, HEADER_KEY, KEY_SHAPE, PASSWORD];

const ENVIRONMENT = {
  MY_API_KEY: IN_ENVIRONMENT,
  DATABASE_URL: `postgres://user:${IN_ADDRESS}@db.example/x`,
  MODEL_KEY: HEADER_KEY,
};

/** The same secrets as a model, a tool and an agent would say them. */
const TALK = [
  `the key is ${IN_ENVIRONMENT}`,
  `connect to postgres://user:${IN_ADDRESS}@db.example/x`,
  `bearer ${HEADER_KEY}`,
  `use ${KEY_SHAPE} now`,
  `password: ${PASSWORD}`,
  JSON.stringify({ password: PASSWORD, api_key: KEY_SHAPE }),
].join('\n');

function expectClean(place: { root: string }, ...more: string[]): void {
  const written = filesBelow(place.root);
  // What the test itself wrote is where the secrets come from.
  for (const name of ['agent.mjs', 'live/a.json', 's.yaml', 'assay.config.json']) written.delete(name);
  expect(written.size).toBeGreaterThan(2);
  for (const [name, text] of [
    ...written,
    ...more.map((shown, index) => [`shown ${index}`, shown] as const),
  ]) {
    for (const secret of SECRETS) expect(text.includes(secret), `${secret} in ${name}`).toBe(false);
  }
}

describe('no file that is written holds a secret', () => {
  it('of the environment, of tool results or of arguments, in a live run of fixtures', async () => {
    const { model, seen } = await decidingModel((_body, count) => {
      if (count % 3 === 1) return { calls: [['file_write', { path: 'notes.txt', content: TALK }]] };
      if (count % 3 === 2) return { calls: [['file_read', { path: 'notes.txt' }]] };
      return { text: `Done.\n${TALK}` };
    });
    const fixture = {
      model_name: 'a',
      turns: [{ user_input: 'go' }],
      tools: ['file_read', 'file_write'],
      repeat: 2,
      expects: {
        response_contains: ['never said'],
        response_not_contains: ['Done'],
        tool_arguments_contain: [{ tool: 'file_write', needle: 'the key is sentinel-environment' }],
      },
    };
    const url = model.slice(model.indexOf('@') + 1);
    const place = workplace({
      'live/a.json': fixture,
      'assay.config.json': {
        eval: { live_allowed_tools: ['file_read', 'file_write'] },
        endpoints: { [url]: { api_key: { environment: 'MODEL_KEY' } } },
      },
    });
    const words = ['live', '--mode', 'live', '--model', model, '--concurrency', '1'];
    const outputs = [
      '--dump-records',
      'dump',
      '--history-dir',
      'history',
      '--format',
      'junit',
      '--out',
      'junit.xml',
    ];
    const first = await run(place, [...words, ...outputs], ENVIRONMENT);
    expect(first.code).toBe(1);
    expect(seen.length).toBe(6);
    const shown = [first.stdout, first.stderr];
    for (const format of ['json', 'markdown', 'table']) {
      const ended = await run(place, [...words, '--format', format, '--out', `out.${format}`], ENVIRONMENT);
      shown.push(ended.stdout, ended.stderr);
    }
    expectClean(place, ...shown);
    // The checks themselves saw the arguments as they were.
    const journals = [...filesBelow(join(place.root, '.assay'))].filter(([name]) =>
      name.endsWith('journal.jsonl'),
    );
    expect(journals.length).toBe(4);
    for (const [, text] of journals)
      expect(text).toMatch(/"label":"tool_arguments_contain[^}]*"outcome":"pass"/);
  });

  it('that an agent of the user prints, says or throws', async () => {
    const agent = `
      export default async ({ prompt, workspace }) => {
        const all = [process.env.MY_API_KEY, process.env.DATABASE_URL, 'password: ${PASSWORD}', '${KEY_SHAPE}'].join(' ');
        if (prompt === 'throw') throw new Error(all);
        return { text: all, toolCalls: [{ name: 'look', arguments: { all }, result: all }] };
      };
    `;
    const suite = `
agent: { module: agent.mjs }
trials: 1
cases:
  - { id: says, prompt: say, assert: [{ type: contains, value: nothing }] }
  - { id: throws, prompt: throw, assert: [{ type: contains, value: nothing }] }
`;
    const place = workplace({ 'agent.mjs': agent, 's.yaml': suite });
    const ended = await run(
      place,
      ['s.yaml', '--json', '--dump-records', 'dump', '--out', 'out.json'],
      ENVIRONMENT,
    );
    expect(ended.code).toBe(1);
    expectClean(place, ended.stdout, ended.stderr);
  });

  it('and a server of tools gets none of them unless it is passed on by name', async () => {
    const { model } = await decidingModel((_body, count) =>
      count === 1 ? { calls: [['where', {}]] } : { text: 'Done.' },
    );
    const child = join(import.meta.dirname, '../tool/mcp-child.mjs');
    const suite = JSON.stringify({
      agent: { loop: { tools: [{ mcp: { command: ['node', child] } }] } },
      trials: 1,
      gate: 'all',
      cases: [
        {
          id: 'one',
          prompt: 'go',
          assert: [
            { type: 'tool-results', tool: 'where', value: 'PATH' },
            { type: 'not-tool-results', tool: 'where', value: 'MY_API_KEY' },
          ],
        },
      ],
    });
    const place = workplace({ 's.yaml': suite });
    const ended = await run(place, ['s.yaml', '--model', model, '--json'], ENVIRONMENT);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expectClean(place);
  });
});
