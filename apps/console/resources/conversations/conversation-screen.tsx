import type { InboxConversation, InboxEntry, SupportStaff } from '@moorage/contracts';
import { Lock } from 'lucide-react';
import { useLayoutEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { Instant } from '../../ui/instant';
import { SelectField } from '../../ui/form/select-field';
import { Facts } from '../../ui/record-screen';
import { ApiError } from '../../data/errors';
import { useServerNow } from '../../data/server-now';
import { useSession } from '../../data/session';
import { useAssign, useCloseConversation, useInboxConversation, useSupportStaff } from '../../data/support-inbox';
import { useToast } from '../../ui/use-toast';
import { useText } from '../../texts/console-i18n';
import { duration } from '../../ui/dates';
import { ErrorAlert } from '../../ui/error-alert';
import { useListAddress } from '../../ui/list/list-address';
import { refusalOf } from '../../data/problem-message';
import { TwoFactorRequiredError } from '../../ui/two-factor-required';
import { useTitle } from '../../ui/use-title';
import { ContextCard } from './context-card';
import { ReplyBox } from './reply-box';
import { Button } from '../../ui/button';

/** Conversation with its messages, context, assignee and reply box. */
export function ConversationScreen({ id }: { id: number }) {
  const t = useText();
  const { page, addressWith } = useListAddress();
  const { data, dataUpdatedAt, error, refetch } = useInboxConversation(id);
  const isMissing = error instanceof ApiError && error.status === 404;
  useTitle(data?.subject ?? t('support_inbox.title'));
  const heading = useRef<HTMLHeadingElement>(null);
  const isThere = data !== undefined || error !== null;
  useLayoutEffect(() => {
    if (isThere) heading.current?.focus();
  }, [isThere]);
  return (
    <main className="main support-inbox" id="content" tabIndex={-1}>
      <p>
        <Link to={addressWith({ conversation: undefined, page: page === 1 ? undefined : page })} state={{ from: id }}>
          {t('support_inbox.conversation.back')}
        </Link>
      </p>
      <div className="title wrap">
        <div className="grow">
          <h1 className="anywhere" tabIndex={-1} ref={heading}>
            {data?.subject ??
              (error === null ? (
                <span className="skel late" style={{ width: 220, height: 24 }} />
              ) : (
                t(isMissing ? 'support_inbox.conversation.missing' : 'support_inbox.title')
              ))}
          </h1>
          {data === undefined ? null : <Tags conversation={data} at={dataUpdatedAt} />}
        </div>
      </div>
      {error === null || isMissing ? null : (
        <ErrorAlert
          text={<TwoFactorRequiredError error={error} failed={t('support_inbox.conversation.failed')} />}
          onRetry={() => void refetch()}
        />
      )}
      {data === undefined ? null : (
        <div className="inbox-cols">
          <div className="talk">
            <Thread conversation={data} />
            <ReplyBox key={id} conversation={data} />
          </div>
          <div className="talk">
            <Handling conversation={data} />
            {data.context === null ? null : <ContextCard context={data.context} deployment={data.deployment} />}
          </div>
        </div>
      )}
    </main>
  );
}

/** State, kind, level and reply deadline. */
function Tags({ conversation, at }: { conversation: InboxConversation; at: number }) {
  const t = useText();
  const { state, kind, level, due_at: due, is_overdue: isOverdue, is_due_soon: isDueSoon } = conversation;
  const now = useServerNow(new Date(at).toISOString(), at);
  const left = due === null ? 0 : Date.parse(due) - now;
  return (
    <p className="row wrap small">
      <span className={`tag ${state === 'open' ? 'sea' : 'off'}`}>{t(`support_inbox.states.${state}`)}</span>
      {kind === 'package' ? <span className="tag">{t('support_inbox.package')}</span> : null}
      <span className="tag">{t('support_inbox.levels.one', { level })}</span>
      {due === null ? null : (
        <>
          <span className={`tag${isOverdue ? ' port' : isDueSoon ? ' brass' : ''}`}>
            {isOverdue
              ? t('support_inbox.overdue_by', { time: duration(-left) })
              : t('support_inbox.due_in', { time: duration(left) })}
          </span>
          <span className="muted">
            <Instant iso={due} />
          </span>
        </>
      )}
    </p>
  );
}

/** Returns a function that runs an action and shows its result or error. */
function useDone(): (act: Promise<InboxConversation>, done: (now: InboxConversation) => string) => Promise<void> {
  const t = useText();
  const toast = useToast();
  return async (act, done) => {
    try {
      toast(done(await act));
    } catch (error) {
      toast(refusalOf(error) ?? t('support_inbox.conversation.again'), { type: 'error' });
    }
  };
}

function CloseButton({ id }: { id: number }) {
  const t = useText();
  const done = useDone();
  const close = useCloseConversation(id);
  return (
    <Button
      busy={close.isPending}
      onClick={() => void done(close.mutateAsync(), () => t('support_inbox.conversation.closed'))}
    >
      {t(close.isPending ? 'support_inbox.conversation.closing' : 'support_inbox.conversation.close')}
    </Button>
  );
}

function Thread({ conversation }: { conversation: InboxConversation }) {
  const t = useText();
  const { entries, account, name } = conversation;
  return (
    <ol className="talk" aria-label={t('support_inbox.entries.label')}>
      {entries.map((entry) => (
        <Entry key={entry.id} entry={entry} person={account?.username ?? name} />
      ))}
    </ol>
  );
}

function Entry({ entry: { by, what, author, message, at }, person }: { entry: InboxEntry; person: string }) {
  const t = useText();
  const name = by === 'person' ? person : (author?.username ?? t('support_inbox.entries.support'));
  if (what === 'closed')
    return (
      <li className="small muted">
        {t('support_inbox.entries.closed', { name })}, <Instant iso={at} />
      </li>
    );
  return (
    <li className={`card entry ${what === 'note' ? 'note-entry' : by === 'support' ? 'ours' : ''}`}>
      <div className="row wrap">
        <b className="anywhere">{name}</b>
        {what === 'note' ? (
          <span className="tag brass">
            <Lock size={14} aria-hidden="true" />
            {t('support_inbox.entries.note')}
          </span>
        ) : null}
        <span className="small muted">
          <Instant iso={at} />
        </span>
      </div>
      <p>{message}</p>
    </li>
  );
}

/** Customer and assignee of the conversation. */
function Handling({ conversation }: { conversation: InboxConversation }) {
  const t = useText();
  const { id, state, account, name, email, ip_address: ip, created_at: created, deployment, context } = conversation;
  return (
    <section className="card" aria-labelledby="handling">
      <header>
        <h2 id="handling">{t('support_inbox.conversation.handling')}</h2>
      </header>
      <div className="pad">
        <Assignee conversation={conversation} />
        <Facts
          rows={[
            [
              t('support_inbox.from'),
              account === null ? (
                <span className="row wrap" key="from">
                  <span className="anywhere">{name}</span>
                  <span className="tag">{t('support_inbox.visitor')}</span>
                </span>
              ) : (
                <span className="row wrap" key="from">
                  <Link to={`/users/${account.id}/show`}>{account.username}</Link>
                  {account.is_deactivated ? <span className="tag off">{t('users.deactivated')}</span> : null}
                </span>
              ),
            ],
            [
              t('support_inbox.conversation.email'),
              <span className="anywhere" key="email">
                {email}
              </span>,
            ],
            [
              t('support_inbox.conversation.ip_address'),
              ip === null ? null : (
                <span className="mono" key="ip">
                  {ip}
                </span>
              ),
            ],
            // The context card also shows it.
            deployment === null || context !== null
              ? null
              : [
                  t('support_inbox.conversation.deployment'),
                  <Link className="anywhere" key="deployment" to={`/deployments/${deployment.id}/show`}>
                    {deployment.client_name}
                  </Link>,
                ],
            [t('support_inbox.conversation.received'), <Instant key="received" iso={created} />],
          ]}
        />
        {state === 'closed' ? null : <CloseButton id={id} />}
      </div>
    </section>
  );
}

function Assignee({ conversation: { id, assignee } }: { conversation: InboxConversation }) {
  const t = useText();
  const me = useSession()?.user;
  const { data: staff = [] } = useSupportStaff();
  const done = useDone();
  const assign = useAssign(id);
  const chosen = assign.isPending ? assign.variables : (assignee?.id ?? null);
  const give = (to: number | null): void => {
    if (assign.isPending) return;
    void done(assign.mutateAsync(to), (now) =>
      now.assignee === null
        ? t('support_inbox.conversation.unassigned')
        : t('support_inbox.conversation.assigned', { name: now.assignee.username }),
    );
  };
  return (
    <div className="assignee">
      <SelectField
        label={t('support_inbox.conversation.assignee')}
        value={String(chosen ?? '')}
        onChange={(value) => give(value === '' ? null : Number(value))}
      >
        <option value="">{t('support_inbox.nobody')}</option>
        {withAssignee(staff, assignee).map((one) => (
          <option key={one.id} value={one.id}>
            {one.username}
          </option>
        ))}
      </SelectField>
      {me == null || chosen === me.id ? null : (
        <Button busy={assign.isPending} onClick={() => give(me.id)}>
          {t('support_inbox.conversation.take')}
        </Button>
      )}
    </div>
  );
}

/** Adds the assignee, who may no longer be an administrator. The list may also not have loaded yet. */
const withAssignee = (staff: readonly SupportStaff[], assignee: SupportStaff | null): readonly SupportStaff[] =>
  assignee === null || staff.some(({ id }) => id === assignee.id) ? staff : [assignee, ...staff];
