/** What to do where the Model Context Protocol's package is not there. */
export const MCP_INSTALL = 'install it with: npm install @modelcontextprotocol/sdk';

/** True for the error of a package that is not installed. */
export function isMissingPackage(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}
