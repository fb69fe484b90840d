/** Begins to measure; gives the seconds since then, finer than a clock on the wall. */
export function stopwatch(): () => number {
  const began = performance.now()
  return () => (performance.now() - began) / 1000
}
