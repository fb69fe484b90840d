/** Reads the parts of a multipart body (RFC 2046 §5.1) as they arrive, in bounded memory. */
export function delimitedReader(body: AsyncIterable<Uint8Array>) {
  const chunks = body[Symbol.asyncIterator]()
  // The first delimiter is not preceded by a line break.
  let buffer = Buffer.from('\r\n')
  const more = async (): Promise<boolean> => {
    const next = await chunks.next()
    if (next.done) return false
    buffer = Buffer.concat([buffer, next.value])
    return true
  }
  return {
    /** Passes on what precedes the marker. @returns whether there is one */
    upTo: async (marker: string, sink: (part: Buffer) => void): Promise<boolean> => {
      for (;;) {
        const at = buffer.indexOf(marker)
        const sure = at === -1 ? Math.max(0, buffer.length - marker.length + 1) : at
        sink(buffer.subarray(0, sure))
        buffer = buffer.subarray(at === -1 ? sure : at + marker.length)
        if (at !== -1) return true
        if (!(await more())) return false
      }
    },
    take: async (length: number): Promise<string> => {
      while (buffer.length < length && (await more()));
      const taken = buffer.toString('latin1', 0, length)
      buffer = buffer.subarray(length)
      return taken
    },
  }
}

export function collected() {
  const parts: Buffer[] = []
  return { add: (part: Buffer) => void parts.push(part), text: () => Buffer.concat(parts).toString() }
}
