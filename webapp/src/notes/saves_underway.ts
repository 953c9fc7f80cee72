/** Saves that go on after their page is left, so that the next page does not read what was before. */

const underway = new Set<Promise<unknown>>();

export function track<Result>(save: Promise<Result>): Promise<Result> {
  underway.add(save);
  const forget = () => underway.delete(save);
  save.then(forget, forget);
  return save;
}

export async function settled(): Promise<void> {
  // After an event that is heard both here and where saves begin, such as `online`.
  await new Promise((resolve) => setTimeout(resolve));
  await Promise.allSettled(underway);
}
