import * as z from 'zod'

export type TokenForm = Readonly<Record<string, string | undefined>>

/** How an app authenticates at the token endpoint. */
export interface ClientAuthentication {
  /** Its parameters in the form. */
  readonly parameters: Readonly<Record<string, z.ZodString>>
  shownIn(form: TokenForm, authorization: string | undefined): { readonly id: string; readonly secret: string }
}

/** The client id and `client_secret` are parameters. */
export function byParameters(idName: string, value = z.string().min(1)): ClientAuthentication {
  return {
    parameters: { [idName]: value, client_secret: value },
    shownIn: ({ [idName]: id = '', client_secret: secret = '' }) => ({ id, secret }),
  }
}

/** HTTP Basic authentication, without percent-encoding. */
export const byHeader: ClientAuthentication = {
  parameters: {},
  shownIn: (_form, authorization) => {
    const { id, secret } = basicPair(authorization)
    const isExact = authorization === `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
    return isExact ? { id, secret } : { id: '', secret: '' }
  },
}

/** The user and the password in a header of HTTP Basic authentication (RFC 7617). */
export function basicPair(authorization = ''): { readonly id: string; readonly secret: string } {
  const pair = Buffer.from(authorization.replace(/^Basic /, ''), 'base64').toString()
  const [id = '', ...secret] = pair.split(':')
  return { id, secret: secret.join(':') }
}
