/**
 * Requests whose answers set or clear the cookies, one at a time over all tabs and the service worker:
 * the late answer of one would replace the cookies of another.
 */
export async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  // Pages of plain http have no locks, except those of the own computer.
  const locks = navigator.locks as LockManager | undefined;
  return locks ? locks.request("cookies", work) : work();
}
