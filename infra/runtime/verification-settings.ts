import * as z from 'zod'

const parts = z.string().transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean),
)

/** URLs below which everything is verified: https, and a path that ends with a slash. */
export const verifiedUrls = parts.pipe(
  z.array(
    z.string().refine(
      (value) => {
        if (!URL.canParse(value)) return false
        const { protocol, href, search, hash, username } = new URL(value)
        return protocol === 'https:' && href === value && value.endsWith('/') && search + hash + username === ''
      },
      { error: 'must be https URLs that end with a slash, such as https://cdn.example.com/' },
    ),
  ),
)

/** `tiktokAbC.txt=tiktok-developers-site-verification=AbC`: the name of a file, and its content. By name. */
export const verificationFiles = parts
  .pipe(
    z.array(
      z.string().regex(/^[\w-]{1,200}\.(?:txt|html)=[\x20-\x7e]{1,1000}$/, {
        error: 'must be names of .txt or .html files with their contents, such as tiktokAbC.txt=content',
      }),
    ),
  )
  .transform(
    (files): ReadonlyMap<string, string> =>
      new Map(
        files.map((file) => {
          const end = file.indexOf('=')
          return [file.slice(0, end), file.slice(end + 1)]
        }),
      ),
  )
