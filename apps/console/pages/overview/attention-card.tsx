import type { AttentionAnswer } from '@moorage/contracts';
import type { Urgency } from '@moorage/domain';
import { CircleAlert, CircleCheck, Clock, type LucideIcon, TriangleAlert } from 'lucide-react';
import type { Overview } from '../../data/platform';
import { useText } from '../../texts/console-i18n';
import { messageText } from '../../texts/locale';
import { ButtonLink } from '../../ui/button-link';
import { SectionCard } from '../../ui/card';
import { exactInstant, nearInstant } from '../../ui/dates';
import { money } from '../../ui/money';
import { placeOf } from './places';

const ICONS: Readonly<Record<Urgency, LucideIcon>> = { now: CircleAlert, today: TriangleAlert, later: Clock };

/** Everything that needs an administrator, the most urgent first, with the recommended action. */
export function AttentionCard({ overview }: { overview: Overview }) {
  const t = useText();
  const { attention } = overview;
  const isUrgent = attention.some(({ urgency }) => urgency === 'now');
  return (
    <SectionCard
      id="attention"
      title={t('overview.attention.title')}
      aside={
        attention.length === 0 ? undefined : (
          <span className={isUrgent ? 'tag port' : 'tag brass'}>{attention.length}</span>
        )
      }
    >
      {attention.length === 0 ? (
        <p className="pad row soft">
          <CircleCheck size={16} aria-hidden="true" className="good" />
          {t('overview.attention.none')}
        </p>
      ) : (
        <ul className="attention">
          {attention.map((matter) => (
            <Matter key={matter.alert?.kind ?? matter.kind} matter={matter} overview={overview} />
          ))}
        </ul>
      )}
    </SectionCard>
  );
}

function Matter({ matter, overview }: { matter: AttentionAnswer; overview: Overview }) {
  const t = useText();
  const { kind, alert, urgency, count } = matter;
  const Icon = ICONS[urgency];
  const place = placeOf(matter);
  const title =
    alert !== null
      ? messageText(alert.title)
      : kind === 'alert'
        ? ''
        : t(`overview.attention.${kind}`, { smart_count: count });
  const act = place === null ? '' : t(`overview.act.${place.act}`);
  return (
    <li className={urgency}>
      <Icon size={18} aria-hidden="true" />
      <div className="grow">
        <p>
          <span className="vh">{t(`overview.urgency.${urgency}`)}: </span>
          <b>{title}</b> <When matter={matter} now={Date.parse(overview.now)} />
          {kind === 'leaks' && overview.leaks_daily > 0 ? (
            <span className="soft">
              {t('overview.attention.leaks_cost', { cost: money(overview.leaks_daily, { rounding: 'price' }) })}
            </span>
          ) : null}
        </p>
        {alert === null ? null : <AlertFacts alert={alert} count={count} />}
      </div>
      {place === null ? null : (
        <ButtonLink size="small" to={place.to} aria-label={t('overview.act.what', { act, what: title })}>
          {act}
        </ButtonLink>
      )}
    </li>
  );
}

/** Recommended action for an alert, and its subjects. */
function AlertFacts({
  alert: { advice, subjects },
  count,
}: {
  alert: NonNullable<AttentionAnswer['alert']>;
  count: number;
}) {
  const t = useText();
  const more = count - subjects.length;
  return (
    <>
      {advice === null ? null : <p className="soft">{messageText(advice)}</p>}
      {subjects.length === 0 ? null : (
        <p className="small muted anywhere">
          <span className="mono">{subjects.join(', ')}</span>{' '}
          {more > 0 ? t('overview.attention.more', { smart_count: more }) : null}
        </p>
      )}
    </>
  );
}

function When({ matter: { kind, since, due_at: dueAt }, now }: { matter: AttentionAnswer; now: number }) {
  const t = useText();
  const at = dueAt ?? since;
  if (at === null) return null;
  const key =
    dueAt === null
      ? 'since'
      : kind === 'unpaid_deployments'
        ? 'first_at'
        : Date.parse(dueAt) <= now
          ? 'overdue'
          : 'due';
  return (
    <time className="soft" dateTime={at} title={exactInstant(at)}>
      {t(`overview.attention.${key}`, { at: nearInstant(at, now) })}
    </time>
  );
}
