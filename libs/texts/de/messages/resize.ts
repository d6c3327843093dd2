import type { ConsoleTables } from '../../message-tables';
import type { Translated } from '../../translate';

/** The German reasons why a server can't get another size. */
export const resizeMessages: Translated<Pick<ConsoleTables, 'resize'>> = {
  resize: {
    own_server: 'Die Größe Ihres eigenen Servers können wir nicht ändern. Ändern Sie sie bei Ihrem Anbieter.',
    not_resized: 'Ein Deployment mit dem Status „%{status}“ kann keine andere Größe erhalten.',
    not_begun: 'Die Größe wurde nicht geändert.',
    taken_back: 'Die Größe wurde nicht geändert. Der Server läuft in seiner bisherigen Größe zum bisherigen Preis.',
    not_taken_back:
      'Die Größe wurde nicht geändert, und der Server ist nicht wieder in seiner bisherigen Größe gestartet. Bitte wenden Sie sich an den Support.',
    kept: 'Der Server hat seine neue Größe.',
    same_size: 'Der Server hat diese Größe bereits.',
    sold_out: '%{size} ist in dieser Region ausverkauft. Wählen Sie eine andere Größe.',
    only_larger:
      '%{provider} kann bestehende Server nur vergrößern. Ziehen Sie stattdessen auf einen kleineren Server um.',
    smaller_disk:
      'Die Festplatte des Servers hat %{disk} GB und lässt sich nicht auf die %{size_disk} GB von %{size} verkleinern. Ziehen Sie stattdessen auf einen neuen Server um.',
    other_architecture:
      '%{size} hat eine andere Prozessorarchitektur. Ziehen Sie stattdessen auf einen neuen Server dieser Größe um.',
  },
};
