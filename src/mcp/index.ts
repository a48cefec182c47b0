/** Assay as a server of the Model Context Protocol, over standard input and output or HTTP on the loopback address. */
export { serveHttp, type HttpServer } from './http.js';
export { serveStdio } from './stdio.js';
export type { Surroundings } from './surroundings.js';
