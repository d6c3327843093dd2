import InputAdornment from '@mui/material/InputAdornment';
import TextField from '@mui/material/TextField';
import type { AdminUserAnswer } from '@moorage/contracts';
import { type FormEvent, useId, useState } from 'react';
import { adjustmentsBefore } from '../../data/actions/users';
import { useAction } from '../../data/use-action';
import { useToast } from '../../ui/use-toast';
import { useText } from '../../texts/console-i18n';
import { exactMoney, money } from '../../ui/money';
import { refusalOf } from '../../data/problem-message';
import { SentBefore } from '../../parts/sent-before';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';

const AMOUNT_DEFAULT = 10;
const DESCRIPTION_MAX = 200;

/** Increases or reduces a regular balance. However often it is sent, an adjustment is booked once. */
export function AdjustBalance({
  user: { id: userId, username: name, balance },
  amount: first = AMOUNT_DEFAULT,
  onClose,
}: {
  user: Pick<AdminUserAnswer, 'id' | 'username' | 'balance'>;
  /** Initial value of the field. */
  amount?: number;
  onClose: () => void;
}) {
  const t = useText();
  const toast = useToast();
  const id = useId();
  const [lost] = useState(() => adjustmentsBefore(userId).find(({ isAccepted }) => !isAccepted)?.content);
  const [typed, setTyped] = useState(String(lost?.amount ?? first));
  const [description, setDescription] = useState(lost?.description ?? '');
  const [refusal, setRefusal] = useState<string | null>(null);
  const adjust = useAction('users', 'adjustBalance');
  const amount = typed.trim() === '' ? Number.NaN : Number(typed);
  const takes = amount < 0;
  const hasReason = !takes || description.trim() !== '';
  const canSave = Number.isFinite(amount) && amount !== 0 && hasReason && !adjust.isPending;

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (!canSave) return;
    setRefusal(null);
    try {
      await adjust.mutateAsync({
        params: { id: userId },
        body: { amount, description: description.trim() === '' ? null : description.trim() },
      });
      onClose();
      toast(t('users.adjust.done'));
    } catch (error) {
      setRefusal(refusalOf(error) ?? t('users.adjust.again'));
      toast(refusalOf(error) ?? t('users.adjust.failed'), { type: 'error' });
    }
  };

  return (
    <Dialog
      onClose={onClose}
      onSubmit={(event) => void submit(event)}
      width="narrow"
      className="person-form"
      title={t('users.adjust.title', { name })}
      refusal={refusal}
      actions={
        <>
          <Button onClick={onClose}>{t('layout.cancel')}</Button>
          <Button type="submit" kind="primary" disabled={!canSave}>
            {adjust.isPending ? t('users.adjust.busy') : t('users.adjust.submit')}
          </Button>
        </>
      }
    >
      <div>
        <label htmlFor={`${id}-amount`}>{t('users.adjust.amount')}</label>
        <TextField
          id={`${id}-amount`}
          fullWidth
          autoFocus
          type="number"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          slotProps={{
            htmlInput: { step: 'any', inputMode: 'text', 'aria-describedby': `${id}-hint` },
            input: { startAdornment: <InputAdornment position="start">$</InputAdornment> },
          }}
        />
        <p className="hint" id={`${id}-hint`}>
          {t('users.adjust.hint')}
        </p>
      </div>
      <div>
        <label htmlFor={`${id}-description`}>
          {t('users.adjust.description')}
          {takes ? null : <span className="muted"> ({t('users.adjust.optional')})</span>}
        </label>
        <TextField
          id={`${id}-description`}
          fullWidth
          value={description}
          onChange={({ target }) => setDescription(target.value)}
          slotProps={{
            htmlInput: { maxLength: DESCRIPTION_MAX, autoComplete: 'off', 'aria-describedby': `${id}-seen` },
          }}
        />
        <p className="hint" id={`${id}-seen`}>
          {t('users.adjust.seen')} {takes ? t('users.adjust.taken') : null}
        </p>
      </div>
      <SentBefore
        requests={adjust.isPending ? [] : adjustmentsBefore(userId)}
        isEqual={(before) => before.amount === amount}
        isRepeat={(before) => (before.description ?? '') === description.trim()}
        amount={money(amount, { rounding: 'half_up' })}
      />
      <dl className="kv" aria-live="polite">
        <div>
          <dt>{t('users.adjust.before')}</dt>
          <dd title={exactMoney(balance)}>{money(balance, { rounding: 'cut' })}</dd>
        </div>
        <div>
          <dt>{t('users.adjust.after')}</dt>
          <dd>
            <b>{Number.isFinite(amount) ? money(balance + amount, { rounding: 'cut' }) : t('layout.not_available')}</b>
          </dd>
        </div>
      </dl>
    </Dialog>
  );
}
