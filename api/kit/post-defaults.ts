import * as z from 'zod'
import type { Connectable } from '../../domain/account/account-connection.ts'
import { Refusal } from '../../domain/core/errors.ts'
import { PLATFORM_NAMES } from '../../domain/core/platform.ts'
import { check } from '../http/validation.ts'

export const postDefaultsSchema = z
  .record(z.string(), z.unknown())
  .describe(
    'What posts of the account have that do not set it in platformOptions or accountOptions. Absent where there is nothing to set.',
  )

/** @throws Refusal naming the field, or that the platform has nothing to set */
export function checkedDefaults(
  { key, postDefaults }: Pick<Connectable, 'key' | 'postDefaults'>,
  given: Readonly<Record<string, unknown>>,
  where: string,
): Readonly<Record<string, unknown>> {
  if (postDefaults) return check(postDefaults, given, where)
  throw new Refusal('failed_precondition', `Posts on ${PLATFORM_NAMES[key]} have nothing to set by default.`)
}
