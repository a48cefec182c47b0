import { CONFIG_CHANGE_MARKER } from '../core/index.js';

/** Variables of Assay's own environment that a trial may see: none of them is a secret or says who the user is. */
const PASSED_ON: ReadonlySet<string> = new Set([
  'PATH',
  'LANG',
  'LANGUAGE',
  'TZ',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'SYSTEMROOT',
  'SystemRoot',
  'windir',
  'ComSpec',
  'PATHEXT',
  CONFIG_CHANGE_MARKER,
]);

/** The whole environment of what a trial starts. `home` and `temporary` are absolute paths of its own. */
export function trialEnvironment(place: { home: string; temporary: string }): { [name: string]: string } {
  const environment: { [name: string]: string } = {};
  for (const [name, value] of Object.entries(process.env)) {
    if (value !== undefined && (PASSED_ON.has(name) || name.startsWith('LC_'))) environment[name] = value;
  }
  const { home, temporary } = place;
  return {
    ...environment,
    HOME: home,
    USERPROFILE: home,
    TMPDIR: temporary,
    TMP: temporary,
    TEMP: temporary,
  };
}
