import { AdminOnly } from '../../parts/admin-only';
import { useListAddress } from '../../ui/list/list-address';
import { ConversationScreen } from './conversation-screen';
import { InboxScreen } from './inbox-screen';

/** Support inbox: the list, or a single conversation. */
export default function SupportInboxPage() {
  return (
    <AdminOnly>
      <Shown />
    </AdminOnly>
  );
}

function Shown() {
  const id = Number(useListAddress().text('conversation'));
  return Number.isInteger(id) && id > 0 ? <ConversationScreen key={id} id={id} /> : <InboxScreen />;
}
