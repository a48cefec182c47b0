import { dirname, delimiter } from 'node:path';
import { CONFIG_CHANGE_MARKER } from '../core/index.js';
import { pathDirectories, usualDirectories, type Environment } from './find-program.js';

// What a subscription command line needs to find its login, speak over the network and print text.
const ALLOWED: ReadonlySet<string> = new Set([
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LANGUAGE',
  'TZ',
  'TERM',
  'TMPDIR',
  'TEMP',
  'TMP',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
  'XDG_RUNTIME_DIR',
  'DBUS_SESSION_BUS_ADDRESS',
  'CLAUDE_CONFIG_DIR',
  'CODEX_HOME',
  'GEMINI_CLI_HOME',
  'GOOGLE_CLOUD_PROJECT',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'SystemRoot',
  'SYSTEMROOT',
  'windir',
  'ComSpec',
  'PATHEXT',
  'APPDATA',
  'LOCALAPPDATA',
  'USERPROFILE',
  'HOMEDRIVE',
  'HOMEPATH',
  'ProgramFiles',
  'ProgramData',
  CONFIG_CHANGE_MARKER,
]);

/**
 * True for a variable that must never reach a subscription command line: any key, token or base URL outranks the
 * login or sends it elsewhere, and the nested-session variables make it hang or refuse.
 */
export function isForbidden(name: string): boolean {
  return /^CLAUDE_?CODE/i.test(name) || /(?:_API_KEY|_AUTH_TOKEN|_BASE_URL)$/i.test(name);
}

/**
 * The environment of a subscription command line: an allowlist, the given additions, and a PATH with the program's own
 * directory and the usual places, because a program that is a script must find its interpreter under cron too.
 */
export function programEnvironment(
  environment: Environment,
  program: string,
  additions: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const child: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...environment, ...additions })) {
    if (value === undefined || isForbidden(name)) continue;
    if (ALLOWED.has(name) || name.startsWith('LC_') || Object.hasOwn(additions, name)) child[name] = value;
  }
  const directories = [dirname(program), ...pathDirectories(environment), ...usualDirectories(environment)];
  child['PATH'] = [...new Set(directories)].join(delimiter);
  return child;
}
