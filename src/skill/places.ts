import { existsSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { AssayError } from '../core/index.js';
import { SKILL_NAME } from './workflows.js';

/** Where each agent looks for skills, below the project and below the user's home. */
const SKILL_DIRECTORIES = {
  'claude-code': '.claude/skills',
  codex: '.agents/skills',
  gemini: '.gemini/skills',
} as const;

/** An agent whose place of skills is known. */
export type SkilledAgent = keyof typeof SKILL_DIRECTORIES;

/** Where a skill may be installed. */
export interface SkillPlaces {
  /** Absolute path of the project. */
  project: string;
  /** Absolute path of the user's home. */
  home: string;
}

function nearestReal(path: string): string {
  let at = path;
  while (!existsSync(at) && dirname(at) !== at) at = dirname(at);
  return realpathSync(at);
}

/**
 * The directory of Assay's skill for an agent, absolute.
 * @throws AssayError `INPUT` when a link leads the project's place out of the project
 */
export function skillDirectory(agent: SkilledAgent, level: 'project' | 'user', places: SkillPlaces): string {
  const root = level === 'user' ? places.home : places.project;
  const directory = join(root, SKILL_DIRECTORIES[agent], SKILL_NAME);
  // A project may come from anywhere; the home is the user's own, and links in it are meant.
  if (level === 'project') {
    const way = relative(realpathSync(root), nearestReal(directory));
    if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) {
      throw new AssayError('INPUT', `${directory} leads out of the project`, {
        fix: 'remove the link, or name the place with --directory',
      });
    }
  }
  return directory;
}
