import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Workspace } from '../../src/trial/index.js';
import { at, decidingModel, filesBelow, later, reportOf, run, workplace } from './support.js';

describe('the place of a trial', () => {
  it('is made on first use, private, and never again once it is gone', () => {
    const made = new Workspace({ 'in/a.txt': 'x' });
    expect(made.exists).toBe(false);
    const root = made.root();
    expect(readFileSync(join(root, 'in/a.txt'), 'utf8')).toBe('x');
    expect(statSync(join(root, '..')).mode & 0o777).toBe(0o700);
    expect(made.environment()).toMatchObject({ HOME: made.home(), TMPDIR: join(root, '../tmp') });
    made.dispose();
    expect(existsSync(join(root, '..'))).toBe(false);
    expect(() => made.root()).toThrow('the trial is over');
  });

  it('passes on no variable that is a secret or says who the user is', () => {
    const made = new Workspace({});
    later(() => made.dispose());
    process.env['ISOLATION_TOKEN'] = 'sentinel';
    later(() => delete process.env['ISOLATION_TOKEN']);
    const names = Object.keys(made.environment());
    expect(names).toContain('PATH');
    for (const name of ['ISOLATION_TOKEN', 'USER', 'LOGNAME', 'SSH_AUTH_SOCK'])
      expect(names).not.toContain(name);
  });
});

describe('what one trial leaves behind', () => {
  it('does not reach the next: no file in workspace, home or temporary directory, no variable, no memory', async () => {
    // The planted token is looked for before it is planted; whoever finds one has met another trial.
    const agent = `
      import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
      import { join } from 'node:path';
      let planted = 0;
      export default ({ workspace }) => {
        const found = [
          ...readdirSync(workspace).map((name) => 'workspace ' + name),
          ...(planted > 0 ? ['memory'] : []),
          ...(process.env.CANARY === undefined ? [] : ['environment']),
          ...(globalThis.canary === undefined ? [] : ['global']),
        ];
        planted += 1;
        process.env.CANARY = 'sings';
        globalThis.canary = 'sings';
        writeFileSync(join(workspace, 'canary.txt'), 'sings');
        return found.length === 0 ? 'clean' : 'found: ' + found.join(', ');
      };
    `;
    const suite = `
agent: { module: agent.mjs }
trials: 6
gate: all
cases:
  - { id: one, prompt: plant, assert: [{ type: equals, value: clean }] }
  - { id: two, prompt: plant, assert: [{ type: equals, value: clean }] }
`;
    const place = workplace({ 'agent.mjs': agent, 'canary.yaml': suite });
    const ended = await run(place, ['canary.yaml', '--json', '--concurrency', '3']);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(readdirSync(place.tmp)).toEqual([]);
  });

  it('does not reach the next through a server of tools either', async () => {
    const { model } = await decidingModel((body) => {
      const { messages } = body;
      if (!Array.isArray(messages)) throw new Error('no messages');
      const results = messages.filter((message) => at(message, 'role') === 'tool');
      const text = results.map((message) => JSON.stringify(at(message, 'content'))).join('\n');
      if (results.length === 0) return { calls: [['plant', {}]] };
      return { text: text.includes('canary') ? `found ${text}` : 'clean' };
    });
    const server = `
      import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
      import { homedir, tmpdir } from 'node:os';
      import { join } from 'node:path';
      import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
      import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
      const server = new McpServer({ name: 'plant', version: '1.0.0' });
      const places = [process.cwd(), process.env.HOME, homedir(), tmpdir()];
      server.registerTool('plant', { description: 'Plants.' }, () => {
        const found = places.flatMap((place) => readdirSync(place).filter((name) => name.startsWith('canary')));
        for (const place of places) writeFileSync(join(place, 'canary-' + process.pid), 'sings');
        return { content: [{ type: 'text', text: found.length === 0 ? 'planted' : found.join(' ') }] };
      });
      await server.connect(new StdioServerTransport());
    `;
    const suite = `
agent: { loop: { tools: [{ mcp: { command: [node, '{{suite}}/server.mjs'] } }] } }
agent_model: ${JSON.stringify(model)}
trials: 3
gate: all
cases: [{ id: one, prompt: plant, assert: [{ type: equals, value: clean }] }]
`;
    // The server lies in this repository, so that it finds the protocol's package.
    const place = workplace({
      'canary.yaml': suite.replace("'{{suite}}/server.mjs'", '"{{suite}}/run.mjs"'),
    });
    place.write('server.mjs', server);
    place.write(
      'run.mjs',
      `import { register } from 'node:module';\nregister(${JSON.stringify(resolver())});\nawait import('./server.mjs');\n`,
    );
    const ended = await run(place, ['canary.yaml', '--json']);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(readdirSync(place.tmp)).toEqual([]);
  });

  it('stays where it is with --keep-workspace', async () => {
    const agent = `
      import { writeFileSync } from 'node:fs';
      import { join } from 'node:path';
      export default ({ workspace, trial }) => {
        writeFileSync(join(workspace, 'made.txt'), 'trial ' + trial);
        return 'ok';
      };
    `;
    const suite = `
agent: { module: agent.mjs }
trials: 2
cases: [{ id: one, prompt: go, assert: [{ type: equals, value: ok }] }]
`;
    const place = workplace({ 'agent.mjs': agent, 'keep.yaml': suite });
    const ended = await run(place, ['keep.yaml', '--keep-workspace']);
    expect(ended.code).toBe(0);
    const kept = readdirSync(place.tmp);
    expect(kept.length).toBe(2);
    for (const name of kept) {
      expect(existsSync(join(place.tmp, name, 'workspace', 'made.txt'))).toBe(true);
      expect(ended.stderr).toContain(join(place.tmp, name));
    }
  });
});

/** A loader that finds packages where this repository has them. */
function resolver(): string {
  const code = `export const resolve = (name, context, next) =>
    next(name, name.startsWith('@') ? { ...context, parentURL: ${JSON.stringify(import.meta.url)} } : context);`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

describe('an agent in a thread of its own', () => {
  const suite = (module: string): string => `
agent: { module: ${module} }
trials: 1
gate: all
cases:
  - { id: a, prompt: spin, assert: [{ type: equals, value: ok }] }
  - { id: b, prompt: go on, assert: [{ type: equals, value: ok }] }
`;

  it('that never lets go is ended at its time limit, and the other cases go on', async () => {
    const agent = `
      export default async ({ prompt }) => {
        if (prompt === 'spin') { await null; for (;;); }
        return 'ok';
      };
    `;
    const place = workplace({ 'agent.mjs': agent, 's.yaml': suite('agent.mjs') });
    const ended = await run(place, ['s.yaml', '--json', '--timeout', '1']);
    const report = reportOf(ended);
    expect(JSON.stringify(report)).toContain('turn 0 timed out after 1 s');
    expect(ended.code).toBe(1);
    expect(at(report, 'passed') ?? at(report, 'totals', 'passed')).toBeDefined();
    expect(ended.stdout).toContain('"b"');
  });

  it('that ends its thread, throws or cannot be loaded is told as what it is', async () => {
    const place = workplace({
      'exit.mjs': 'export default () => process.exit(4);',
      'throw.mjs': "export default () => { throw new Error('no coffee'); };",
      'broken.mjs': 'export default (',
      'other.mjs': 'export const agent = () => 1;',
    });
    for (const [name, said] of [
      ['exit', "the agent's thread ended: its thread ended with code 4"],
      ['throw', 'the agent function threw: no coffee'],
      ['broken', 'cannot be used'],
      ['other', 'it exports no function named default'],
    ] as const) {
      place.write(`${name}.yaml`, suite(`${name}.mjs`));
      const ended = await run(place, [`${name}.yaml`, '--json']);
      expect(ended.code).toBe(1);
      expect(ended.stdout, name).toContain(said);
    }
  });

  it('is given the model, whole and streamed, and its prints go to stderr', async () => {
    const { model } = await decidingModel(() => ({ text: 'four' }));
    const agent = `
      export default async ({ model, prompt, messages, turn, caseId, trial }) => {
        console.log('thinking about', prompt);
        const question = [{ role: 'user', content: [{ type: 'text', text: prompt }] }];
        const whole = await model.doGenerate({ prompt: question });
        const { stream } = await model.doStream({ prompt: question });
        let text = '';
        for await (const part of stream) if (part.type === 'text-delta') text += part.delta;
        return { text: [whole.content[0].text, text, messages.length, turn, caseId, trial].join(' '),
          usage: { inputTokens: 5, outputTokens: 6 }, llmCalls: 2 };
      };
    `;
    const text = `
agent: { module: agent.mjs }
trials: 1
gate: all
cases: [{ id: a, prompt: '2+2?', assert: [{ type: equals, value: 'four four 1 0 a 1' }] }]
`;
    const place = workplace({ 'agent.mjs': agent, 's.yaml': text });
    const ended = await run(place, ['s.yaml', '--model', model, '--json']);
    expect(ended.code, ended.stdout + ended.stderr).toBe(0);
    expect(ended.stderr).toContain('thinking about 2+2?');
  });

  it('is not blamed for what its model did', async () => {
    const { model } = await decidingModel(() => ({ status: 400 }));
    const agent = `
      export default async ({ model }) => {
        try {
          await model.doGenerate({ prompt: [] });
        } catch (error) {
          throw new Error('wrapped', { cause: error });
        }
      };
    `;
    const place = workplace({ 'agent.mjs': agent, 's.yaml': suite('agent.mjs') });
    const ended = await run(place, ['s.yaml', '--model', model, '--json', '--case', 'a']);
    expect(ended.code).toBe(1);
    const [journal] = [...filesBelow(join(place.root, '.assay'))].filter(([name]) => name.endsWith('.jsonl'));
    expect(journal?.[1]).toContain(
      '"error":{"kind":"model","message":"the server answered 400: status 400"}',
    );
  });
});
