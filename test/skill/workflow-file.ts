import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Directory of the skill as it is shipped. */
export const SKILL: string = resolve(import.meta.dirname, '../../skill');

/** What a workflow tells an agent to do. */
export interface WorkflowFile {
  text: string;
  /** Command lines of its shell blocks, in order. */
  commands: string[];
  /** Command lines that its prose mentions. */
  mentioned: string[];
  /** Files that it tells to write, by name. */
  files: Map<string, string>;
}

interface Block {
  language: string;
  lines: string[];
}

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let open: (Block & { indent: number }) | null = null;
  for (const line of text.split('\n')) {
    const fence = /^( *)```(\w*)\s*$/.exec(line);
    if (open !== null && fence !== null) {
      blocks.push({ language: open.language, lines: open.lines });
      open = null;
    } else if (open !== null) open.lines.push(line.slice(open.indent));
    else if (fence !== null) open = { language: fence[2] ?? '', lines: [], indent: fence[1]?.length ?? 0 };
  }
  if (open !== null) throw new Error('a block is not closed');
  return blocks;
}

/** Reads a file of the skill. A shell block may hold nothing but command lines of assay. */
export function readSkillFile(name: string): WorkflowFile {
  const text = readFileSync(resolve(SKILL, name), 'utf8');
  const commands: string[] = [];
  const files = new Map<string, string>();
  for (const { language, lines } of blocksOf(text)) {
    if (language === 'bash') {
      for (const line of lines) {
        if (!line.startsWith('assay ')) throw new Error(`${name}: not a command line of assay: ${line}`);
        commands.push(line);
      }
      continue;
    }
    const [first = '', ...rest] = lines;
    const file = /^# file: (\S+)$/.exec(first)?.[1];
    if (file === undefined) throw new Error(`${name}: a ${language} block that is neither shell nor a file`);
    files.set(file, `${rest.join('\n')}\n`);
  }
  const prose = text.replace(/^ *```[\s\S]*?^ *```/gm, '').replace(/\s*\n\s*/g, ' ');
  const mentioned = [...prose.matchAll(/`(assay [^`]+)`/g)].map((match) => match[1] ?? '');
  return { text, commands, mentioned, files };
}
