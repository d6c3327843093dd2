import { HEALTH_CALLS } from '@moorage/contracts';
import { HOUR_MS, MINUTE_MS } from '@moorage/domain';
import { Controller, Inject } from '@nestjs/common';
import type { ApiDeps, Feature } from '../feature';
import { Serve } from '../http/serve';
import type { Mails } from '../mail/mails';
import { type AlertMail, createAlertMail } from './alert-mail';
import { createSealMail } from './seal-mail';
import { createOperatorHealth, type OperatorHealth } from './operator-health';

const OPERATOR_HEALTH = Symbol('health for operators');

@Controller()
export class OperatorHealthController {
  constructor(@Inject(OPERATOR_HEALTH) private readonly health: OperatorHealth) {}

  @Serve(HEALTH_CALLS.details)
  details() {
    return this.health.look();
  }
}

const MAIL_EVERY_MS = MINUTE_MS;
const CLEAN_EVERY_MS = HOUR_MS;

export function createAlertsFeature(
  deps: ApiDeps,
  { mails }: { mails: Mails },
): Feature & { readonly alertMail: AlertMail } {
  const alertMail = createAlertMail(deps, { mails });
  const sealMail = createSealMail(deps, { mails });
  const { clock, log } = deps;
  return {
    alertMail,
    controllers: [OperatorHealthController],
    providers: [{ provide: OPERATOR_HEALTH, useValue: createOperatorHealth(deps) }],
    async start() {
      const stops = [
        clock.every(MAIL_EVERY_MS, alertMail.tick, (error) => log.error('alerts were not mailed', { error })),
        clock.every(MAIL_EVERY_MS, sealMail.tick, (error) => log.error('the seal was not mailed', { error })),
        clock.every(CLEAN_EVERY_MS, alertMail.clean, (error) => log.error('old alerts were not cleaned', { error })),
      ];
      return async () => {
        for (const stop of stops) await stop();
      };
    },
  };
}
