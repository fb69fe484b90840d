import { text } from 'node:stream/consumers'
import ESpeakNg from 'espeak-ng'

/**
 * Speaks the text from standard input in the voice named by its argument, and writes 16-bit mono WAV to standard output. A
 * separate process, so that speaking blocks nothing and can be killed.
 *
 * Exits with 3 when the voice does not exist.
 */
const [voice = ''] = process.argv.slice(2)
const given = await text(process.stdin)
const { FS } = await ESpeakNg({
  arguments: ['-v', voice, '-b', '1', '-w', 'speech.wav', '-f', 'text.txt'],
  preRun: (program) => program.FS.writeFile('text.txt', given),
  // Each run ends with a notice about the runtime.
  printErr: () => {},
})
const isSpoken = FS.analyzePath('speech.wav').exists
process.exitCode = isSpoken ? 0 : 3
if (isSpoken) process.stdout.write(FS.readFile('speech.wav'))
