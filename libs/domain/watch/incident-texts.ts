import { providerName } from '../catalogue/providers';
import type { Message } from '../messages/message';
import { REMEDY_MESSAGES, INCIDENT_MESSAGES } from '../messages/incidents';
import type { Incident } from './incidents';
import { SWITCHED_OFF_BY } from './findings';

type Described = Pick<Incident, 'kind' | 'facts'>;

/** Returns the description of an incident in a sentence. */
export function incidentMessage({ kind, facts }: Described): Message {
  const { host = '', days = 0, percent = 0, container = '', seconds = 0 } = facts;
  const provider = providerName(String(facts.provider ?? ''));
  switch (kind) {
    case 'server_gone':
      return INCIDENT_MESSAGES.server_gone({ provider });
    case 'server_off': {
      const by = SWITCHED_OFF_BY.find((each) => each === facts.by);
      return INCIDENT_MESSAGES[by === undefined ? 'server_off' : (`server_off_by_${by}` as const)]({ provider });
    }
    case 'down':
      return INCIDENT_MESSAGES.down;
    case 'certificate_expired':
    case 'certificate_missing':
    case 'certificate_wrong':
    case 'dns_elsewhere':
      return INCIDENT_MESSAGES[kind]({ host });
    case 'certificate_not_renewed':
      return INCIDENT_MESSAGES.certificate_not_renewed({ host, days });
    case 'disk_full':
    case 'disk_filling':
      return INCIDENT_MESSAGES.disk({ percent });
    case 'memory_full':
      return INCIDENT_MESSAGES.memory_full({ percent });
    case 'container_stopped':
    case 'container_restarting':
      return INCIDENT_MESSAGES[kind]({ container });
    case 'slow':
      return INCIDENT_MESSAGES.slow({ seconds });
  }
}

/** Returns the remedy for an incident. */
export function remedyMessage({ kind, facts }: Described): Message {
  if (kind === 'server_off')
    return REMEDY_MESSAGES.server_off({ provider: providerName(String(facts.provider ?? '')) });
  if (kind === 'certificate_expired' || kind === 'certificate_missing' || kind === 'certificate_not_renewed')
    return REMEDY_MESSAGES.certificate;
  return REMEDY_MESSAGES[kind];
}
