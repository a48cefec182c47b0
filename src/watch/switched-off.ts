import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isJsonObject, type JsonObject, type JsonValue } from '../core/index.js';
import type { HookTarget } from './install.js';
import { readSettings, readSettingsFile } from './settings-text.js';

function objectAt(object: JsonObject, key: string): JsonObject {
  const value: JsonValue | undefined = object[key];
  return value !== undefined && isJsonObject(value) ? value : {};
}

async function codexFeatures(directory: string): Promise<JsonObject> {
  const file = join(directory, 'config.toml');
  if (!existsSync(file)) return {};
  const { parse } = await import('smol-toml');
  try {
    const value: JsonValue = JSON.parse(JSON.stringify(parse(readFileSync(file, 'utf8'))));
    return isJsonObject(value) ? objectAt(value, 'features') : {};
  } catch {
    // Codex itself will say what is wrong with it.
    return {};
  }
}

/**
 * Why an agent would run no hook at all, from the settings file and what stands beside it; null when nothing there says
 * so.
 * @throws AssayError `INPUT` when the file cannot be read as settings
 */
export async function switchedOff(target: HookTarget): Promise<string | null> {
  const { agent, file } = target;
  const { value } = readSettings(file, readSettingsFile(file) ?? '');
  switch (agent.name) {
    case 'claude-code':
      return value['disableAllHooks'] === true ? `disableAllHooks is set in ${file}` : null;
    case 'gemini': {
      const config = objectAt(value, 'hooksConfig');
      const names = config['disabled'];
      if (config['enabled'] === false) return `hooksConfig.enabled is false in ${file}`;
      return Array.isArray(names) && names.includes('assay')
        ? `hooksConfig.disabled names assay in ${file}`
        : null;
    }
    case 'codex': {
      const features = await codexFeatures(dirname(file));
      const off = ['hooks', 'codex_hooks'].find((key) => features[key] === false);
      return off === undefined ? null : `features.${off} is false in ${join(dirname(file), 'config.toml')}`;
    }
  }
}
