const PASSED_ON = ['PATH', 'LANG', 'TMPDIR', 'SYSTEMROOT'];

/** The environment of a program that grades: a short allowlist, so that no key or token reaches it. */
export function graderEnvironment(home: string | undefined): { [name: string]: string } {
  const environment: { [name: string]: string } = {};
  for (const name of PASSED_ON) {
    const value = process.env[name];
    if (value !== undefined) environment[name] = value;
  }
  if (home !== undefined) environment['HOME'] = home;
  return environment;
}
