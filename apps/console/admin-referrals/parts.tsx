import type { AdminReferralAnswer } from '@moorage/contracts';
import type { UseMutationResult } from '@tanstack/react-query';
import TextField from '@mui/material/TextField';
import { CREDITS_MESSAGES, type Message } from '@moorage/domain';
import { Ban } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Link, Navigate } from 'react-router-dom';
import { PersonDialog, useAsked } from '../administration/person-dialog';
import { useText } from '../texts/console-i18n';
import { messageText } from '../texts/locale';
import { exactInstant, fullDay } from '../ui/dates';
import { FailedNote } from '../ui/failed-note';
import { FilterTabs } from '../ui/list-screen/filter-tabs';
import { MessageText } from '../ui/message-text';
import { ListBox } from '../ui/list-screen/list-box';
import { Pages } from '../ui/pages';
import { refusalOf } from '../ui/problem-words';
import { Refused } from '../ui/refused';
import { useListAddress } from './use-list-address';

const REASON_MAX = 300;

/** Somebody by name and address, and the way to their page. */
export function Who({
  id,
  username,
  email,
  is_deactivated: isDeactivated = false,
}: Omit<AdminReferralAnswer['referred'], 'is_deactivated'> & { is_deactivated?: boolean }) {
  const t = useText();
  return (
    <span className="who">
      <Link className="name" to={`/users/${id}/show`}>
        {username}
      </Link>
      {isDeactivated ? (
        <span className="tag off">
          <Ban size={16} aria-hidden="true" />
          {t('users.deactivated')}
        </span>
      ) : null}
      <span className="small muted anywhere">{email}</span>
    </span>
  );
}

export function On({ at }: { at: string }) {
  return <span title={exactInstant(at)}>{fullDay(at)}</span>;
}

/** Which of a list is shown; kept in the address. */
export function StateTabs<State extends string>({
  label,
  chosen,
  tabs,
  name = 'state',
}: {
  label: string;
  chosen: State;
  tabs: readonly { readonly value: State; readonly label: string }[];
  name?: string;
}) {
  const { go } = useListAddress();
  return (
    <div className="tools">
      <FilterTabs label={label} tabs={tabs} chosen={chosen} onChoose={(value) => go({ [name]: value })} />
    </div>
  );
}

interface Paged {
  readonly total_pages: number;
  readonly current_page: number;
}

/** A page of rows, why there is none, and the other pages. */
export function PageOf({
  query: { error, refetch, isPlaceholderData },
  pages,
  rows,
  failed,
  empty,
  children,
}: {
  query: { error: Error | null; refetch: () => unknown; isPlaceholderData: boolean };
  pages?: Paged | undefined;
  rows: readonly unknown[] | undefined;
  failed: string;
  empty: string;
  children: ReactNode;
}) {
  const { addressWith } = useListAddress();
  // its last row was decided, or somebody typed the number
  if (pages !== undefined && pages.current_page > pages.total_pages)
    return <Navigate replace to={addressWith({ page: pages.total_pages })} />;
  return (
    <ListBox
      rows={rows}
      failed={
        error === null ? null : (
          <FailedNote
            text={refusalOf(error) === null ? failed : <Refused error={error} failed={refusalOf(error) ?? failed} />}
            onRetry={() => void refetch()}
          />
        )
      }
      loading={<Loading />}
      empty={
        <div className="empty" role="status">
          <h2>{empty}</h2>
        </div>
      }
      isChanging={isPlaceholderData}
    >
      {children}
      {pages === undefined || pages.total_pages <= 1 ? null : (
        <div className="pager">
          <span className="grow" />
          <Pages page={pages.current_page} total={pages.total_pages} addressOf={(page) => addressWith({ page })} />
        </div>
      )}
    </ListBox>
  );
}

function Loading() {
  return (
    <div className="list-skeleton late" aria-hidden="true">
      {[150, 168, 140].map((width) => (
        <div key={width} className="row">
          <span className="skel" style={{ width }} />
          <span className="skel grow" style={{ maxWidth: 220 }} />
        </div>
      ))}
    </div>
  );
}

/** Asks for the reason of a rejection. */
export function RejectDialog<Answer>({
  title,
  hint,
  act,
  done,
  onClose,
}: {
  title: string;
  /** Who will read the reason. */
  hint: string;
  act: UseMutationResult<Answer, Error, string>;
  done: string;
  onClose: () => void;
}) {
  const t = useText();
  const id = useId();
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const asked = useAsked(act, reason.trim(), {
    done: () => done,
    failed: t('admin_referrals.again'),
    onClose,
  });
  const run = async (): Promise<void> => {
    const isMissing = reason.trim() === '';
    setMissing(isMissing);
    if (!isMissing) await asked.run();
  };
  return (
    <PersonDialog
      title={title}
      refusal={asked.refusal}
      submit={{
        label: t('admin_referrals.reject'),
        busyLabel: t('admin_referrals.rejecting'),
        isDanger: true,
        asked: { busy: asked.busy, run },
      }}
      hasField
      onClose={onClose}
    >
      <p>{hint}</p>
      <label htmlFor={id}>{t('admin_referrals.reason')}</label>
      <TextField
        id={id}
        fullWidth
        autoFocus
        value={reason}
        error={missing}
        helperText={missing ? messageText(CREDITS_MESSAGES.reason_missing) : null}
        onChange={({ target }) => setReason(target.value)}
        slotProps={{ htmlInput: { maxLength: REASON_MAX, autoComplete: 'off' }, formHelperText: { role: 'alert' } }}
      />
    </PersonDialog>
  );
}

/** Asks before something is granted, and says what will happen. */
export function ApproveDialog<Answer>({
  title,
  refusal,
  act,
  done,
  onClose,
  children,
}: {
  title: string;
  /** Why it cannot be approved, known before anybody is asked. */
  refusal: Message | null;
  act: UseMutationResult<Answer, Error, void>;
  done: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const t = useText();
  const asked = useAsked(act, undefined, { done: () => done, failed: t('admin_referrals.again'), onClose });
  return (
    <PersonDialog
      title={title}
      refusal={asked.refusal}
      submit={
        refusal === null
          ? {
              label: t('admin_referrals.approve'),
              busyLabel: t('admin_referrals.approving'),
              isDanger: false,
              asked,
            }
          : null
      }
      onClose={onClose}
    >
      {refusal === null ? (
        children
      ) : (
        <p>
          <MessageText message={refusal} />
        </p>
      )}
    </PersonDialog>
  );
}

/** Who decided, when, and why not. */
export function Decided({
  decided_at: at,
  decided_by: by,
  rejection,
}: Pick<AdminReferralAnswer, 'decided_at' | 'decided_by' | 'rejection'>) {
  const t = useText();
  if (at === null) return t('admin_referrals.at_once');
  return (
    <span className="who">
      <On at={at} />
      {by === null ? null : <span className="small muted">{t('admin_referrals.by', { name: by.username })}</span>}
      {rejection === null ? null : <span className="small anywhere">{rejection}</span>}
    </span>
  );
}
