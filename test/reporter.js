import { Transform } from 'node:stream'
import { Parser } from 'tap-parser'

/** A tap reporter: failures in full, and one closing line such as `1532 passed, 0 failed, 3 skipped in 84 s`. */
export default class Reporter extends Transform {
  #begin = performance.now()
  #count = { pass: 0, fail: 0, skip: 0, todo: 0 }
  #parser = new Parser()

  constructor() {
    super()
    for (const kind of Object.keys(this.#count)) {
      this.#parser.on(kind, (result) => {
        this.#count[kind] += 1
        if (kind === 'fail') this.push(failure(result))
      })
    }
    this.#parser.on('bailout', (reason) => this.push(`\nBail out! ${reason}\n`))
  }

  _transform(chunk, _encoding, done) {
    this.#parser.write(chunk)
    done()
  }

  _flush(done) {
    this.#parser.once('complete', ({ ok }) => {
      const { pass, fail, skip, todo } = this.#count
      const skipped = skip + todo > 0 ? `, ${skip + todo} skipped` : ''
      if (!ok && fail === 0) this.push('\nA test process ended before its tests did.\n')
      const seconds = Math.round((performance.now() - this.#begin) / 1000)
      this.push(`\n${pass} passed, ${fail} failed${skipped} in ${seconds} s\n`)
      done()
    })
    this.#parser.end()
  }
}

function failure({ fullname, name, diag }) {
  const details = Object.entries(diag ?? {}).map(([key, value]) => `  ${key}: ${indented(value)}\n`)
  return `\nFAILED ${fullname}\n  ${name}\n${details.join('')}`
}

function indented(value) {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return text.trim().replaceAll('\n', '\n    ')
}
