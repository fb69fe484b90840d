import { googleConsent } from '../google/consent.ts'
import { service } from './token.ts'

/** One channel each: who has several chooses on Google's pages. */
export const authorization = googleConsent(service)
