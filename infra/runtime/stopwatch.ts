/** Starts timing. Returns a function that gives the elapsed seconds, from the monotonic clock. */
export function stopwatch(): () => number {
  const began = performance.now()
  return () => (performance.now() - began) / 1000
}
