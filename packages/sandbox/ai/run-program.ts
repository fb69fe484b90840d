import { spawn } from 'node:child_process'

export interface Program {
  readonly command: string
  readonly args: readonly string[]
  /** Where it runs. */
  readonly folder?: string
  /** Its environment; that of the sandbox when it is absent. */
  readonly environment?: Readonly<Record<string, string>>
  /** For its standard input. */
  readonly input?: string
  /** After this time (ms, on the wall) it is killed. */
  readonly limitMs: number
  /** Given its standard output as it comes. */
  readonly onOutput?: (chunk: Buffer) => void
}

/** A program that did not end well. The message says how, in its own last words. */
export class ProgramFailure extends Error {
  /** Undefined when it was killed, or never began. */
  readonly exitCode: number | undefined

  constructor(message: string, exitCode?: number) {
    super(message)
    this.name = 'ProgramFailure'
    this.exitCode = exitCode
  }
}

const MAX_WORDS = 2_000

/**
 * Runs a program until it has ended, whatever ends it.
 *
 * @param signal kills it
 * @throws ProgramFailure unless it ends by itself, with 0
 */
export async function runProgram(program: Program, signal: AbortSignal): Promise<void> {
  const { command, args, folder, environment, input = '', limitMs, onOutput } = program
  if (signal.aborted) throw new ProgramFailure('it was not begun any more')
  const limits = { signal, timeout: limitMs, killSignal: 'SIGKILL' } as const
  const place = { ...(folder !== undefined && { cwd: folder }), ...(environment && { env: environment }) }
  const child = spawn(command, args, { ...limits, ...place, stdio: 'pipe' })
  let words = ''
  let trouble: NodeJS.ErrnoException | undefined
  child.on('error', (error) => {
    trouble = error
    // Of a program that never began, Node.js would wait for the end until `timeout`, and not exit before.
    if (child.pid === undefined) child.emit('exit')
  })
  child.stdout.on('data', (chunk: Buffer) => onOutput?.(chunk))
  child.stderr.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString('utf8')).slice(-MAX_WORDS)
  })
  // It may end without reading it all.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  const [code, killed] = await new Promise<readonly [number | null, NodeJS.Signals | null]>((resolve) =>
    child.once('close', (...ended) => resolve(ended)),
  )
  if (trouble) throw new ProgramFailure(signal.aborted ? 'it was stopped' : `it could not be run (${trouble.code})`)
  if (killed) throw new ProgramFailure(`it was killed (${killed}), or took longer than ${limitMs / 1000} s`)
  if (code !== 0) throw new ProgramFailure(lastLine(words) || `it ended with ${code}`, code ?? undefined)
}

function lastLine(words: string): string {
  return words.trimEnd().split('\n').at(-1) ?? ''
}
