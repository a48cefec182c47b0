/** A stretch of a text, from `start` up to and without `end`. */
export interface Stretch {
  start: number;
  end: number;
}

const THINK_TAG = /<(\/?)think(?:ing)?>/gi;

/**
 * The stretches of a reply in which a model thinks aloud, in order and apart. A closing tag without an opening one
 * means that everything before it was thinking (some models' templates swallow the first tag); a block that never
 * closes goes to the end. A tag inside one of the `values` (JSON found in the reply, by start) is text.
 */
export function thinkBlocks(reply: string, values: readonly Stretch[]): Stretch[] {
  let blocks: Stretch[] = [];
  let opened: number | null = null;
  let next = 0;
  for (const tag of reply.matchAll(THINK_TAG)) {
    while ((values[next]?.end ?? reply.length) <= tag.index) next += 1;
    if ((values[next]?.start ?? reply.length) <= tag.index) continue;
    const end = tag.index + tag[0].length;
    if (tag[1] !== '/') opened ??= tag.index;
    else if (opened === null) blocks = [{ start: 0, end }];
    else {
      blocks.push({ start: opened, end });
      opened = null;
    }
  }
  if (opened !== null) blocks.push({ start: opened, end: reply.length });
  return blocks;
}

/** The items that do not begin in one of the blocks; both by start. */
export function outside<Item extends { start: number }>(
  items: readonly Item[],
  blocks: readonly Stretch[],
): Item[] {
  let next = 0;
  return items.filter((item) => {
    while ((blocks[next]?.end ?? Infinity) <= item.start) next += 1;
    return (blocks[next]?.start ?? Infinity) > item.start;
  });
}
