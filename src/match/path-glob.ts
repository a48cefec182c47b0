/** True when a name matches a glob without slashes: `*` is any run of characters, `?` any one. */
function matchesName(text: string, glob: string): boolean {
  let at = 0;
  let place = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    const wanted = glob[place];
    if (wanted === '*') {
      star = place;
      resume = at;
      place += 1;
    } else if (wanted !== undefined && (wanted === '?' || wanted === text[at])) {
      at += 1;
      place += 1;
    } else if (star >= 0) {
      resume += 1;
      at = resume;
      place = star + 1;
    } else return false;
  }
  while (glob[place] === '*') place += 1;
  return place === glob.length;
}

/**
 * True when a path matches a glob in which `*` stays inside one directory and `**` does not. Costs at most the product
 * of both lengths.
 */
export function matchesPathGlob(path: string, glob: string): boolean {
  const names = path.split('/');
  const wanted = glob.split('/').filter((part, index, all) => !(part === '**' && all[index - 1] === '**'));
  // reached[n]: the first n parts of the glob can cover the names looked at so far.
  let reached = [true];
  for (const part of wanted) reached.push(part === '**' && reached.at(-1) === true);
  for (const name of names) {
    const next = [false];
    wanted.forEach((part, index) => {
      // ** covers no name at all, or one more than before.
      if (part === '**') next.push(next[index] === true || reached[index + 1] === true);
      else next.push(reached[index] === true && matchesName(name, part));
    });
    reached = next;
  }
  return reached.at(-1) === true;
}
