import { Refusal } from '../../domain/core/errors.ts'
import type { Caller } from '../http/route.ts'
import { mayManageAccount, mustBeShown } from '../kit/memberships.ts'
import type { Services } from '../kit/services.ts'

/** @throws Refusal insufficient_scope when the user is in a workspace where the caller may not manage them */
export async function mustManageAccount(
  services: Pick<Services, 'db' | 'log' | 'seen'>,
  { actor }: Caller,
  userId: string,
): Promise<void> {
  await mustBeShown(services)
  if (await mayManageAccount(services.db, actor.id, userId)) return
  throw new Refusal(
    'insufficient_scope',
    'This user is in other workspaces too. Only those who may manage them in all of these can do that, and the command line.',
  )
}
