import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readClaudeEnvelope } from './claude-envelope.js';
import { guardPrompt, renderConversation } from './conversation.js';
import type { ProgramAdapter, ProgramSettings } from './program-model.js';

/** Largest system prompt given as an argument, bytes. Linux refuses arguments of 128 KiB. */
export const MAX_ARGUMENT_BYTES = 100_000;

/**
 * One flag with its value. An empty value, and one that begins with a dash, is joined by an equals sign: as an argument
 * of its own an empty string is dropped on some systems, after which the flag takes the next flag as its value.
 */
export function flag(name: string, value: string): string[] {
  return value === '' || value.startsWith('-') ? [`${name}=${value}`] : [name, value];
}

/**
 * The arguments of one call, without any tool, any settings file (so no hooks, and none of them can call us again), any
 * MCP server, and any session left behind. `--tools=` rather than `--disallowedTools`: the latter is a list of names
 * and always misses the next new tool.
 */
export function claudeArguments(
  settings: ProgramSettings,
  system: { text: string } | { file: string } | null,
): string[] {
  return [
    '--print',
    ...flag('--model', settings.model),
    ...(settings.effort === null ? [] : flag('--effort', settings.effort)),
    ...flag('--tools', ''),
    '--strict-mcp-config',
    ...flag('--output-format', 'json'),
    '--no-session-persistence',
    '--exclude-dynamic-system-prompt-sections',
    ...flag('--setting-sources', ''),
    ...(system === null
      ? []
      : 'text' in system
        ? flag('--system-prompt', system.text)
        : flag('--system-prompt-file', system.file)),
  ];
}

async function placeSystem(
  text: string | null,
  directory: string,
): Promise<{ text: string } | { file: string } | null> {
  if (text === null) return null;
  // An argument cannot hold a NUL character either.
  if (Buffer.byteLength(text, 'utf8') <= MAX_ARGUMENT_BYTES && !text.includes('\0')) return { text };
  const file = join(directory, 'system-prompt.txt');
  await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  return { file };
}

/** The `claude` command line, on the user's subscription. */
export const claudeAdapter: ProgramAdapter = {
  kind: 'claude-cli',
  program: 'claude',
  install: 'install it with: npm install -g @anthropic-ai/claude-code',
  login: 'log in with: claude auth login',
  async prepare(settings, conversation, directory) {
    const guarded = guardPrompt(renderConversation(conversation));
    return {
      arguments: claudeArguments(settings, await placeSystem(conversation.system, directory)),
      input: guarded.text,
      environment: {
        // An update in the middle of a run would change what is measured.
        DISABLE_AUTOUPDATER: '1',
        ...(settings.thinking === 'off' ? { MAX_THINKING_TOKENS: '0' } : {}),
      },
      notes: [
        ...guarded.changed,
        ...(conversation.system === null ? ['no system prompt was given, so the program used its own'] : []),
      ],
    };
  },
  read: readClaudeEnvelope,
};
