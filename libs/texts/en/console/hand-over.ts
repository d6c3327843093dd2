/** Texts of handing a deployment over to its owner. */
export const handOverTexts = {
  title: 'Hand over',
  text: 'End our service and keep the software running on your server. Charges stop at once.',
  button: 'Hand over',
  busy: 'Handing over...',
  dialog: 'Hand over %{name}',
  stays:
    'Everything keeps running on your server, with its data, its settings and the firewall rules it needs. HANDOVER.txt in its folder below /opt/moorage explains how to run it.',
  ends: "We remove our key and our own files from your server. After that we can't back up, monitor, restart or repair this deployment. This can't be undone.",
  loses_name:
    'We also remove %{domain}, because that name and its DNS records are ours. The software stops answering there. Change the domain to your own before you hand over.',
  entry: 'It stays in the list as Handed over until you delete it. Deleting the entry changes nothing on your server.',
  entry_only: 'It keeps running on your server, where nothing changes. This permanently removes it from the list.',
  done: 'Handing over %{name}. Charges have stopped.',
  done_refund: 'Handing over %{name}. Charges have stopped and %{amount} was refunded.',
  failed: "The deployment couldn't be handed over.",
} as const;
