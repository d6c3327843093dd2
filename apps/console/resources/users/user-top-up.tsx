import type { AdminUserAnswer } from '@moorage/contracts';
import { useState } from 'react';
import { SectionCard, Loaded } from '../../ui/card';
import { useReturnFocus } from '../../ui/use-return-focus';
import { TopUpFacts } from '../../parts/money/top-up-facts';
import { useUserTopUp } from './user-records';
import { useText } from '../../texts/console-i18n';
import { StopTopUp } from './stop-top-up';
import { Button } from '../../ui/button';

/** Automatic top-up of an account, which administrators can turn off. */
export function UserTopUp({ user }: { user: AdminUserAnswer }) {
  const t = useText();
  const topUp = useUserTopUp(user.id);
  const [isRequested, setRequested] = useState(false);
  const opener = useReturnFocus(isRequested);
  const isOn = topUp.data?.enabled;
  return (
    <SectionCard
      id="automatic"
      title={t('automatic.title')}
      aside={
        isOn === undefined ? null : (
          <span className={isOn ? 'tag star' : 'tag off'}>{t(isOn ? 'automatic.on' : 'automatic.off')}</span>
        )
      }
    >
      <Loaded query={topUp} failed={t('automatic.failed')}>
        {(state) => (
          <div className="pad stack">
            {state.off_reason === null ? null : (
              <p className="soft">{t(`person.top_up.reasons.${state.off_reason}`)}</p>
            )}
            {state.card === null ? <p className="soft">{t('person.top_up.none')}</p> : null}
            <TopUpFacts state={state} mayChange={false} />
            {state.enabled ? (
              <div>
                <Button
                  ref={opener}
                  kind="danger"
                  size="small"
                  aria-haspopup="dialog"
                  onClick={() => setRequested(true)}
                >
                  {t('person.top_up.stop')}
                </Button>
              </div>
            ) : null}
          </div>
        )}
      </Loaded>
      {isRequested ? <StopTopUp user={user} onClose={() => setRequested(false)} /> : null}
    </SectionCard>
  );
}
