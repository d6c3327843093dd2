import type { TwoFactorAnswer } from '@moorage/contracts';
import { useState } from 'react';
import { sentText } from '../../data/problem-message';
import { useAction } from '../../data/use-action';
import { useRead } from '../../data/use-read';
import { useText } from '../../texts/console-i18n';
import { SectionCard, Loaded } from '../../ui/card';
import { RecoveryCodes } from './recovery-codes';
import { TwoFactorConfirmation } from './two-factor-confirmation';
import { TwoFactorSetup, type TwoFactorSecret } from './two-factor-setup';
import { TwoFactorState } from './two-factor-state';

/** Two-factor authentication: enabling it in three steps, recovery codes, disabling it. */
export function TwoFactorCard() {
  const t = useText();
  const twoFactor = useRead('account', 'GET /users/self/two-factor', {});
  const { is_on: isOn } = twoFactor.data ?? {};
  return (
    <SectionCard
      id="two-factor"
      title={t('account.two_factor.title')}
      aside={
        isOn === undefined ? null : (
          <span className={isOn ? 'tag star' : 'tag off'}>{t(`account.two_factor.${isOn ? 'on' : 'off'}`)}</span>
        )
      }
    >
      <Loaded query={twoFactor} failed={t('account.two_factor.failed')}>
        {(state) => (
          <div className="pad">
            <Steps state={state} />
          </div>
        )}
      </Loaded>
    </SectionCard>
  );
}

type Step =
  | { readonly name: 'rest' | 'renew' | 'end' }
  | { readonly name: 'scan'; readonly secret: TwoFactorSecret }
  | { readonly name: 'codes'; readonly codes: readonly string[] };

const AT_REST: Step = { name: 'rest' };

function Steps({ state }: { state: TwoFactorAnswer }) {
  const [step, setStep] = useState<Step>(AT_REST);
  const rest = (): void => setStep(AT_REST);
  const showCodes = (codes: readonly string[]): void => setStep({ name: 'codes', codes });
  if (step.name === 'codes') return <RecoveryCodes codes={step.codes} onDone={rest} />;
  return (
    <>
      <TwoFactorState
        state={state}
        isResting={step.name === 'rest'}
        onScan={(secret) => setStep({ name: 'scan', secret })}
        onRenew={() => setStep({ name: 'renew' })}
        onEnd={() => setStep({ name: 'end' })}
      />
      {step.name === 'scan' ? <TwoFactorSetup secret={step.secret} onCodes={showCodes} onCancel={rest} /> : null}
      {step.name === 'renew' ? <RenewCodes onCodes={showCodes} onCancel={rest} /> : null}
      {step.name === 'end' ? <TurnOff onDone={rest} /> : null}
    </>
  );
}

function RenewCodes({ onCodes, onCancel }: { onCodes: (codes: readonly string[]) => void; onCancel: () => void }) {
  const t = useText();
  const renew = useAction('account', 'renewRecoveryCodes');
  return (
    <TwoFactorConfirmation
      lead={t('account.two_factor.renew_lead')}
      label={t('account.two_factor.renew_submit')}
      busyLabel={t('account.two_factor.renewing')}
      onConfirm={async () => onCodes((await renew.mutateAsync()).recovery_codes)}
      onCancel={onCancel}
    />
  );
}

function TurnOff({ onDone }: { onDone: () => void }) {
  const t = useText();
  const end = useAction('account', 'endTwoFactor', { done: sentText });
  return (
    <TwoFactorConfirmation
      lead={t('account.two_factor.end_lead')}
      label={t('account.two_factor.turn_off')}
      busyLabel={t('account.two_factor.turning_off')}
      onConfirm={async () => {
        await end.mutateAsync();
        onDone();
      }}
      onCancel={onDone}
    />
  );
}
