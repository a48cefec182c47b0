/**
 * The data of every server-sent event of a body, in order. Chunks may break anywhere, also inside a character; lines
 * may end in CR, LF or both. Comments, names and ids are left out. An event that is not ended by a blank line when the
 * body ends is incomplete and is dropped.
 * Source: WHATWG HTML, "Interpreting an event stream".
 * @param limit most characters of one event, so that a hostile body cannot fill the memory
 */
export async function* readServerEvents(
  body: AsyncIterable<Uint8Array>,
  limit = 16 * 1024 * 1024,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  let size = 0;
  let afterReturn = false;

  function* lines(text: string): Generator<string> {
    // A CR at the end of a chunk may be the first half of CR LF, so the LF that follows it is not a line of its own.
    const fresh = afterReturn && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') afterReturn = text.endsWith('\r');
    const parts = (rest + fresh).split(/\r\n|\r|\n/);
    rest = parts.pop() ?? '';
    yield* parts;
  }

  for await (const chunk of body) {
    for (const line of lines(decoder.decode(chunk, { stream: true }))) {
      if (line === '') {
        if (data.length > 0) yield data.join('\n');
        data = [];
        size = 0;
      } else if (line.startsWith('data:')) {
        const value = line.slice(line.startsWith('data: ') ? 6 : 5);
        size += value.length;
        data.push(value);
      }
    }
    if (size + rest.length > limit) throw new Error(`an event is larger than ${limit} characters`);
  }
}
