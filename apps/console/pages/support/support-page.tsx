import type { ConversationAnswer, ConversationBrief, ConversationState, SupportDesk } from '@moorage/contracts';
import { SUPPORT_MESSAGES } from '@moorage/domain';
import { useLayoutEffect, useRef } from 'react';
import { Link, Navigate } from 'react-router-dom';
import { SectionCard, Loaded } from '../../ui/card';
import { Instant } from '../../ui/instant';
import { RecordTable } from '../../ui/record-table';
import { useListAddress } from '../../ui/list/list-address';
import { useCloseConversation, useConversation, useConversations, useDesk, useReply } from '../../data/conversations';
import { useText } from '../../texts/console-i18n';
import { messageText, usePublicText } from '../../texts/locale';
import { Conversation } from '../../parts/conversation/conversation';
import { exactInstant, shortInstant } from '../../ui/dates';
import { PageLinks } from '../../ui/list/page-links';
import { refusalOf } from '../../data/problem-message';
import { contactSupport } from '../../parts/support/support-desk';
import { Phone, SuccessManager, useResponseTime } from '../../parts/support/response-time';
import { useTitle } from '../../ui/use-title';
import { useSubject } from './use-subject';
import { Button } from '../../ui/button';
import './support.css';

const LEVELS = { 1: 'community', 2: 'professional', 3: 'enterprise' } as const;
const TONES: Readonly<Record<ConversationState, string>> = { open: 'tag', answered: 'tag star', closed: 'tag off' };

/** The support level and the user's conversations, or a single conversation at `?conversation=`. */
export default function SupportPage() {
  const t = useText();
  const requested = useListAddress().text('conversation');
  const hasRead = useRef(false);
  useLayoutEffect(() => {
    if (requested !== undefined) hasRead.current = true;
    // The back link is gone.
    else if (hasRead.current) document.getElementById('content')?.focus({ preventScroll: true });
  }, [requested]);
  return (
    <main className="main support-page" id="content" tabIndex={-1}>
      {requested === undefined ? (
        <Overview />
      ) : (
        <>
          <p className="small back">
            <Link to="/support">{t('support.back')}</Link>
          </p>
          {/^[1-9]\d{0,9}$/.test(requested) ? (
            <OneConversation key={requested} id={Number(requested)} />
          ) : (
            <Unknown sentence={messageText(SUPPORT_MESSAGES.conversation_unknown)} />
          )}
        </>
      )}
    </main>
  );
}

function Overview() {
  const t = useText();
  useTitle(t('support.title'));
  return (
    <>
      <div className="title">
        <h1 className="grow">{t('support.title')}</h1>
      </div>
      <div className="stack">
        <DeskCard />
        <Conversations />
      </div>
    </>
  );
}

function DeskCard() {
  const t = useText();
  const shared = usePublicText();
  return (
    <SectionCard
      id="desk"
      title={t('support.desk.title')}
      aside={
        <Button kind="primary" aria-haspopup="dialog" onClick={() => contactSupport(null)}>
          {shared('support.title')}
        </Button>
      }
    >
      <Loaded query={useDesk()} failed={t('support.desk.failed')}>
        {(desk) => <SupportDeskContent desk={desk} />}
      </Loaded>
    </SectionCard>
  );
}

function SupportDeskContent({ desk }: { desk: SupportDesk }) {
  const t = useText();
  const shared = usePublicText();
  const promise = useResponseTime();
  const days = desk.hours.replace(/Mon|Tue|Wed|Thu|Fri|Sat|Sun/g, (day) => t(`support.days.${day as 'Mon'}`));
  return (
    <dl className="pad desk">
      <div>
        <dt>{t('support.desk.level')}</dt>
        <dd>{t(`support.levels.${LEVELS[desk.level]}`)}</dd>
      </div>
      <div>
        <dt>{t('support.desk.answer')}</dt>
        <dd>{promise(desk) ?? t('support.desk.no_promise')}</dd>
      </div>
      <div>
        <dt>{t('support.desk.hours')}</dt>
        <dd>
          {days} <span className="muted">{desk.time_zone}</span>
        </dd>
      </div>
      {desk.phone === null ? null : (
        <div>
          <dt>{shared('support.phone')}</dt>
          <dd>
            <Phone number={desk.phone} />
          </dd>
        </div>
      )}
      {desk.success_manager === null ? null : (
        <div>
          <dt>{shared('support.manager')}</dt>
          <dd className="anywhere">
            <SuccessManager {...desk.success_manager} />
          </dd>
        </div>
      )}
    </dl>
  );
}

function Conversations() {
  const t = useText();
  const { page, addressWith } = useListAddress();
  const conversations = useConversations(page);
  return (
    <SectionCard id="conversations" title={t('support.list.title')}>
      <Loaded query={conversations} failed={t('support.list.failed')}>
        {({ conversations: rows, current_page: current, total_pages: pages }) =>
          // The page number was typed in by hand.
          current > Math.max(1, pages) ? (
            <Navigate replace to={addressWith({ page: Math.max(1, pages) })} />
          ) : rows.length === 0 ? (
            <div className="empty" role="status">
              <h3>{t('support.list.none')}</h3>
              <p className="soft">{t('support.list.none_hint')}</p>
            </div>
          ) : (
            <div aria-busy={conversations.isPlaceholderData}>
              <ConversationTable rows={rows} />
              {pages <= 1 ? null : (
                <div className="pager">
                  <span className="grow" />
                  <PageLinks page={current} total={pages} addressOf={(number) => addressWith({ page: number })} />
                </div>
              )}
            </div>
          )
        }
      </Loaded>
    </SectionCard>
  );
}

function ConversationTable({ rows }: { rows: readonly ConversationBrief[] }) {
  const t = useText();
  const subject = useSubject();
  return (
    <RecordTable
      label={t('support.list.title')}
      rows={rows}
      columns={[
        {
          label: t('support.list.subject'),
          render: (one) => (
            <Link className="name anywhere" to={`/support?conversation=${one.id}`}>
              {subject(one)}
            </Link>
          ),
        },
        {
          label: t('support.list.about'),
          render: ({ deployment }) =>
            deployment?.client_name ?? <span className="muted">{t('support.list.nothing')}</span>,
        },
        { label: t('support.list.state'), render: (one) => <State {...one} /> },
        { label: t('support.list.last'), render: ({ last_at: at }) => <Instant iso={at} /> },
      ]}
    />
  );
}

function State({ state, due_at: dueAt }: ConversationBrief) {
  const t = useText();
  const shared = usePublicText();
  return (
    <span className="state">
      <span className={TONES[state]}>{t(`support.states.${state}`)}</span>
      {state === 'open' && dueAt !== null ? (
        <span className="small muted" title={exactInstant(dueAt)}>
          {shared('conversation.due', { at: shortInstant(dueAt) })}
        </span>
      ) : null}
    </span>
  );
}

function OneConversation({ id }: { id: number }) {
  const t = useText();
  const { data, error, refetch } = useConversation(id);
  if (data !== undefined) return <Shown conversation={data} />;
  const refusal = refusalOf(error);
  if (refusal !== null) return <Unknown sentence={refusal} />;
  return (
    <>
      <div className="title">
        <h1 className="grow">{t('support.title')}</h1>
      </div>
      <Loaded query={{ data, isError: error !== null, refetch }} failed={t('support.failed')}>
        {() => null}
      </Loaded>
    </>
  );
}

function Shown({ conversation }: { conversation: ConversationAnswer }) {
  const t = useText();
  const heading = useRef<HTMLHeadingElement>(null);
  const subject = useSubject()(conversation);
  const { id, state, deployment } = conversation;
  const reply = useReply(id);
  const close = useCloseConversation(id);
  useTitle(subject);
  useLayoutEffect(() => heading.current?.focus({ preventScroll: true }), []);
  return (
    <article>
      <div className="title">
        <div className="grow">
          <h1 className="anywhere" ref={heading} tabIndex={-1}>
            {subject}
          </h1>
          <p className="row wrap">
            <span className={TONES[state]}>{t(`support.states.${state}`)}</span>
            {deployment === null ? null : (
              <span>
                {t('support.list.about')}{' '}
                <Link to={`/dashboard?deployment=${deployment.id}`}>{deployment.client_name}</Link>
              </span>
            )}
          </p>
        </div>
      </div>
      <Conversation
        key={id}
        conversation={conversation}
        draft={`conversation ${id}`}
        onReply={(message) => reply.mutateAsync(message)}
        onClose={() => close.mutateAsync()}
      />
    </article>
  );
}

function Unknown({ sentence }: { sentence: string }) {
  const t = useText();
  useTitle(t('support.title'));
  return (
    <>
      <div className="title">
        <h1 className="grow">{t('support.title')}</h1>
      </div>
      <div className="card empty" role="alert">
        <h2>{sentence}</h2>
      </div>
    </>
  );
}
