import type { TwoFactorAnswer } from '@moorage/contracts';
import { ShieldAlert, TriangleAlert } from 'lucide-react';
import type { RefObject } from 'react';
import { useOwnUser } from '../../data/own-user';
import { refusalText } from '../../data/problem-message';
import { useAction } from '../../data/use-action';
import { LockedButton } from '../../parts/locked-button';
import { useText } from '../../texts/console-i18n';
import { usePublicText } from '../../texts/locale';
import { Button } from '../../ui/button';
import { Instant } from '../../ui/instant';
import { useReturnFocus } from '../../ui/use-return-focus';
import type { TwoFactorSecret } from './two-factor-setup';

/** Number of remaining codes at which new ones are suggested. */
const FEW_CODES = 3;

interface Steps {
  /** Called with the secret to scan. */
  readonly onScan: (secret: TwoFactorSecret) => void;
  readonly onRenew: () => void;
  readonly onEnd: () => void;
}

/** State of two-factor authentication, with buttons to change it while no change is in progress. */
export function TwoFactorState({
  state,
  isResting,
  onScan,
  onRenew,
  onEnd,
}: Steps & { state: TwoFactorAnswer; isResting: boolean }) {
  const t = useText();
  const opener = useReturnFocus(!isResting);
  const locked = useOwnUser().data?.is_verified === false ? t('account.unverified') : null;
  return state.is_on ? (
    <>
      <StateFacts state={state} />
      {isResting ? (
        <div className="row wrap">
          <LockedButton ref={opener} reason={locked} onClick={onRenew}>
            {t('account.two_factor.renew')}
          </LockedButton>
          <Button kind="danger" onClick={onEnd}>
            {t('account.two_factor.turn_off')}
          </Button>
        </div>
      ) : null}
    </>
  ) : (
    <>
      <p className="soft">{t('account.two_factor.why')}</p>
      {state.is_required ? (
        <div className="note brass">
          <ShieldAlert size={16} aria-hidden="true" />
          <p className="grow">{t('account.two_factor.required')}</p>
        </div>
      ) : null}
      {isResting ? <TurnOnButton opener={opener} locked={locked} onScan={onScan} /> : null}
    </>
  );
}

function TurnOnButton({
  opener,
  locked,
  onScan,
}: Pick<Steps, 'onScan'> & { opener: RefObject<HTMLButtonElement | null>; locked: string | null }) {
  const t = useText();
  const p = usePublicText();
  const begin = useAction('account', 'beginTwoFactor', { failed: (error) => refusalText(error, p('form.failed')) });
  return (
    <LockedButton ref={opener} reason={locked} onClick={() => begin.mutate(undefined, { onSuccess: onScan })}>
      {t('account.two_factor.turn_on')}
    </LockedButton>
  );
}

function StateFacts({ state: { since, recovery_codes_left: left } }: { state: TwoFactorAnswer }) {
  const t = useText();
  return (
    <>
      <dl className="kv">
        {since === null ? null : (
          <div>
            <dt>{t('account.two_factor.since')}</dt>
            <dd>
              <Instant iso={since} />
            </dd>
          </div>
        )}
        <div>
          <dt>{t('account.two_factor.codes_left')}</dt>
          <dd>{left}</dd>
        </div>
      </dl>
      {left > FEW_CODES ? null : (
        <div className="note brass">
          <TriangleAlert size={16} aria-hidden="true" />
          <p className="grow">{t('account.two_factor.few_left')}</p>
        </div>
      )}
    </>
  );
}
