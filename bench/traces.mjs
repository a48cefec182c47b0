// Replay of many trace fixtures of two turns and one tool call, beside reading and parsing the same files.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { measure, printTable } from './measure.mjs';

const PARSE = `
const { readdirSync, readFileSync } = require('node:fs');
let cases = 0;
for (const name of readdirSync('evals')) cases += JSON.parse(readFileSync('evals/' + name, 'utf8')).turns.length / 2;
console.log(cases);
`;

function fixture(index) {
  return {
    model_name: `order-${index}`,
    turns: [
      {
        user_input: `Where is order ${index}?`,
        steps: [
          {
            response: {
              type: 'tool_calls',
              tool_calls: [
                { id: `call_${index}`, name: 'echo', arguments: { message: `order ${index} has shipped` } },
              ],
            },
          },
          { response: { type: 'text', content: `Order ${index} has shipped.` } },
        ],
      },
      {
        user_input: 'When will it arrive?',
        steps: [{ response: { type: 'text', content: `Order ${index} will arrive on Friday.` } }],
      },
    ],
    expects: {
      response_contains: ['Friday'],
      tools_used: ['echo'],
      max_tool_calls: 1,
      all_tools_succeeded: true,
    },
  };
}

async function replay(count, { cli, repeats, directory }) {
  const root = join(directory, `traces-${count}`);
  mkdirSync(join(root, 'evals'), { recursive: true });
  for (let index = 0; index < count; index += 1) {
    writeFileSync(join(root, 'evals', `order-${index}.json`), JSON.stringify(fixture(index)));
  }
  const words = [cli, 'run', '-s', 'evals', '--json', '--out', 'result.json'];
  const within = { cwd: root, repeats };
  printTable(`${count.toLocaleString('en')} trace fixtures of two turns and one tool call`, [
    ['node -e 0', await measure(['-e', '0'], within)],
    ['reading and parsing them', await measure(['-e', PARSE], within)],
    ['assay run --no-store', await measure([...words, '--no-store'], within)],
    ['assay run', await measure(words, within)],
  ]);
}

export async function traces(settings) {
  await replay(settings.fixtures, settings);
  if (settings.large > 0) await replay(settings.large, { ...settings, repeats: 1 });
}
