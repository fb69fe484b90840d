import { spawn } from 'node:child_process'

export interface Program {
  readonly command: string
  readonly args: readonly string[]
  /** Working directory. */
  readonly folder?: string
  /** Environment; defaults to that of the sandbox. */
  readonly environment?: Readonly<Record<string, string>>
  /** Standard input. */
  readonly input?: string
  /** Wall-clock time (ms) after which it is killed. */
  readonly limitMs: number
  /** Receives standard output as it arrives. */
  readonly onOutput?: (chunk: Buffer) => void
}

/** A program that failed. The message includes its last output. */
export class ProgramFailure extends Error {
  /** Undefined when it was killed or never started. */
  readonly exitCode: number | undefined

  constructor(message: string, exitCode?: number) {
    super(message)
    this.name = 'ProgramFailure'
    this.exitCode = exitCode
  }
}

const MAX_WORDS = 2_000

/**
 * Runs a program until it has exited.
 *
 * @param signal kills it
 * @throws ProgramFailure unless it exits with 0
 */
export async function runProgram(program: Program, signal: AbortSignal): Promise<void> {
  const { command, args, folder, environment, input = '', limitMs, onOutput } = program
  if (signal.aborted) throw new ProgramFailure('it was stopped before it started')
  const limits = { signal, timeout: limitMs, killSignal: 'SIGKILL' } as const
  const place = { ...(folder !== undefined && { cwd: folder }), ...(environment && { env: environment }) }
  const child = spawn(command, args, { ...limits, ...place, stdio: 'pipe' })
  let words = ''
  let trouble: NodeJS.ErrnoException | undefined
  child.on('error', (error) => {
    trouble = error
    // After a failed spawn, Node.js emits no `exit` and would keep its timeout timer running until it fires.
    if (child.pid === undefined) child.emit('exit')
  })
  child.stdout.on('data', (chunk: Buffer) => onOutput?.(chunk))
  child.stderr.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString('utf8')).slice(-MAX_WORDS)
  })
  // It may exit without reading all of it.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [code, killed] = await new Promise<readonly [number | null, NodeJS.Signals | null]>((resolve) =>
    child.once('close', (...ended) => resolve(ended)),
  )
  if (trouble) throw new ProgramFailure(signal.aborted ? 'it was stopped' : `it could not be run (${trouble.code})`)
  if (killed) throw new ProgramFailure(`it was killed (${killed}) or took longer than ${limitMs / 1000} s`)
  if (code !== 0) throw new ProgramFailure(lastLine(words) || `it exited with code ${code}`, code ?? undefined)
}

function lastLine(words: string): string {
  return words.trimEnd().split('\n').at(-1) ?? ''
}
