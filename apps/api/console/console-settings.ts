import type { ConsoleSettings } from '@moorage/contracts';
import { type BackupModes, cloudMix, CONSTANTS, hasSandbox, Money } from '@moorage/domain';
import type { ApiSettings } from '../settings';

/** Converts the installation's settings for responses. This is the only list of the settings that the console sees. */
export function consoleSettings(
  {
    brand,
    links,
    mode,
    mail,
    stripe,
    clouds,
    checkoutMaxCents,
    gracePeriodMinutes,
    deleteUndoHours,
    clientKeys,
    queues,
    domainAllowedZones,
    platform,
    hasPrivateServers,
  }: ApiSettings,
  backups: BackupModes,
): ConsoleSettings {
  return {
    brand: {
      name: brand.name,
      tagline: brand.tagline,
      support_email: brand.supportEmail,
      intro_video_url: brand.introVideoUrl,
    },
    links,
    mode,
    payments: stripe === null ? 'test' : 'stripe',
    mails: mail.url === null ? 'kept' : 'sent',
    clouds: cloudMix(clouds),
    backups,
    sandbox_domain: hasSandbox(clouds) ? CONSTANTS.sandboxZone : null,
    platform_domain: platform?.domain ?? null,
    allowed_zones: [...domainAllowedZones],
    private_servers: hasPrivateServers,
    checkout_max: Money.ofCents(checkoutMaxCents).toWire(),
    grace_period_minutes: gracePeriodMinutes,
    delete_undo_hours: deleteUndoHours,
    has_queue_board: queues !== null,
    client_key: clientKeys[0] ?? null,
  };
}
