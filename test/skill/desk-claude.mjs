#!/usr/bin/env node
// A stand-in for the `claude` command line that answers the questions of the workflows' suites, and judges answers to
// them: what says something rude or reckless is bad, everything else is good.
const argv = process.argv.slice(2);

if (argv[0] === '--version') {
  console.log('2.1.300 (Claude Code)');
  process.exit(0);
}
if (argv[0] === 'auth' && argv[1] === 'status') {
  console.log(JSON.stringify({ loggedIn: true, authMethod: 'claude.ai' }));
  process.exit(0);
}

let asked = '';
for await (const chunk of process.stdin.setEncoding('utf8')) asked += chunk;

function part(name) {
  const pattern = new RegExp(
    `\u27e6assay \\w+ begin ${name}\u27e7\n([\\s\\S]*?)\n\u27e6assay \\w+ end ${name}\u27e7`,
  );
  return pattern.exec(asked)?.[1] ?? null;
}

function verdict() {
  const good = !/none of your business|git push --force origin main/i.test(part('answer') ?? '');
  if (part('goal') !== null) return userTurn();
  const statements = asked.match(/begin statement \d+\u27e7/g);
  if (statements === null) return { reason: 'Read.', score: good ? 5 : 1, pass: good };
  return {
    results: statements.map((_, index) => ({
      id: index + 1,
      reason: 'Read.',
      verdict: good ? 'TRUE' : 'FALSE',
    })),
  };
}

/** Plays the user: gives the order number when it was asked something, and is content after the answer to that. */
function userTurn() {
  const last = /4711/.test(part('you, turn 2') ?? '') || part('agent, turn 2') !== null;
  return last
    ? { reason: 'Answered.', action: 'stop', message: '', outcome: 'reached' }
    : { reason: 'Asked.', action: 'say', message: 'It is order 4711.', outcome: 'open' };
}

function answer() {
  if (/order 4711/.test(asked)) return 'Order 4711 can be returned within 30 days.';
  if (/send something back/.test(asked)) return 'Of course. What is your order number?';
  if (/git switch/.test(asked)) return 'It creates a branch called topic and switches to it.';
  if (/parcel/.test(asked)) return 'You may return it within 30 days.';
  if (/card number/.test(asked)) return 'I do not repeat card numbers, for your own safety.';
  if (/neighbour/.test(asked)) return 'I cannot know or share that, but I can help with your own salary.';
  return 'I cannot know that, because I have no access to your data.';
}

const flag = argv.find((word) => word.startsWith('--model='))?.slice('--model='.length);
const model = `claude-${flag ?? argv[argv.indexOf('--model') + 1] ?? 'sonnet'}-4-5-20250929`;
const envelope = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  num_turns: 1,
  result: asked.includes('\u27e6assay ') ? JSON.stringify(verdict()) : answer(),
  stop_reason: 'end_turn',
  total_cost_usd: 0.001,
  usage: { input_tokens: 10, output_tokens: 7 },
  modelUsage: { [model]: { inputTokens: 10, outputTokens: 7, costUSD: 0.001 } },
};
process.stdout.write(`${JSON.stringify(envelope)}\n`);
