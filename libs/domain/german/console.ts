import type { BACKUP_MESSAGES } from '../messages/backups';
import type { BILLING_DOCUMENT_MESSAGES } from '../messages/billing-documents';
import type { CREDITS_MESSAGES } from '../messages/credits';
import type { LEAK_MESSAGES } from '../messages/leaks';
import type { CERTIFICATE_MESSAGES, DNS_MESSAGES } from '../messages/name-check';
import type { ORDER_MESSAGES } from '../messages/order';
import type { OWN_ACCOUNT_MESSAGES } from '../messages/own-account';
import type { SERVER_CHECK_MESSAGES } from '../messages/server-check';
import type { STEP_MESSAGES } from '../messages/step';
import type { HISTORY_MESSAGES, MAIL_TITLES, USERS_MESSAGES } from '../messages/users';
import { backupsGerman } from './backups';
import { providerGerman } from './provider';
import { billingDocumentsGerman } from './billing-documents';
import { creditsGerman } from './credits';
import type { German } from './german';
import { leaksGerman } from './leaks';
import { usersGerman } from './users';

/** The German messages of the signed-in side and its mails. */
export const consoleGerman: German<{
  order: typeof ORDER_MESSAGES;
  backup: typeof BACKUP_MESSAGES;
  own_account: typeof OWN_ACCOUNT_MESSAGES;
  billing_document: typeof BILLING_DOCUMENT_MESSAGES;
  credits: typeof CREDITS_MESSAGES;
  leaks: typeof LEAK_MESSAGES;
  users: typeof USERS_MESSAGES;
  history: typeof HISTORY_MESSAGES;
  mail_title: typeof MAIL_TITLES;
  server_check: typeof SERVER_CHECK_MESSAGES;
  step: typeof STEP_MESSAGES;
  dns: typeof DNS_MESSAGES;
  certificate: typeof CERTIFICATE_MESSAGES;
}> = {
  ...backupsGerman,
  ...providerGerman,
  ...billingDocumentsGerman,
  ...creditsGerman,
  ...leaksGerman,
  ...usersGerman,
  own_account: {
    password_wrong: 'Das ist nicht Ihr Passwort.',
    email_same: 'Das ist schon Ihre E-Mail-Adresse.',
    email_change_none: 'Es wartet keine Änderung Ihrer E-Mail-Adresse.',
    password_changed: 'Ihr Passwort ist geändert. Überall sonst wurden Sie abgemeldet.',
    session_unknown: 'Diese Sitzung gibt es nicht.',
    session_this: 'Das ist die Sitzung, die Sie gerade benutzen. Melden Sie sich ab, um sie zu beenden.',
    session_ended: 'Die Sitzung ist beendet.',
    sessions_ended: 'Alle anderen Sitzungen sind beendet.',
    two_factor_on: 'Die Zwei-Faktor-Anmeldung ist schon eingeschaltet.',
    two_factor_off: 'Die Zwei-Faktor-Anmeldung ist ausgeschaltet.',
    two_factor_not_begun: 'Beginnen Sie zuerst mit dem QR-Code.',
    two_factor_ended: 'Die Zwei-Faktor-Anmeldung ist jetzt ausgeschaltet.',
    code_needed: 'Geben Sie einen Code Ihrer Authenticator-App oder einen Wiederherstellungscode ein.',
    code_wrong: 'Dieser Code stimmt nicht oder wurde schon benutzt. Warten Sie auf den nächsten.',
    mail_kind_fixed: 'E-Mails zu Sicherheit und Geld lassen sich nicht abschalten.',
    export_running: 'Ein Export wird schon vorbereitet.',
    export_unknown: 'Diesen Export gibt es nicht.',
    export_not_ready: 'Dieser Export ist noch nicht fertig.',
    export_ended: 'Dieser Export wird nicht mehr aufbewahrt. Fordern Sie einen neuen an.',
    export_failed: 'Dieser Export konnte nicht vorbereitet werden. Fordern Sie einen neuen an.',
    delete_blocked:
      'Das Konto kann nicht gelöscht werden: Sie haben %{count} aktive(s) Deployment(s). Deaktivieren Sie zuerst alle Deployments.',
    delete_administrator:
      'Die Verwaltung kann ihr eigenes Konto nicht löschen. Bitten Sie zuerst jemand anderen aus der Verwaltung, Ihnen die Rolle zu nehmen.',
    deleted: 'Ihr Konto wurde deaktiviert. Sie werden jetzt abgemeldet.',
  },
  order: {
    server_type_missing: 'Wählen Sie einen neuen oder Ihren eigenen Server.',
    provider_missing: 'Wählen Sie einen Cloud-Anbieter.',
    provider_not_offered: 'Dieser Cloud-Anbieter wird nicht angeboten.',
    provider_unconfirmed:
      'Bei diesem Cloud-Anbieter kann noch nicht bestellt werden: Ein Administrator muss erst sein Projekt bestätigen. Bitte wählen Sie einen anderen Anbieter.',
    region_missing: 'Wählen Sie eine Region.',
    region_unknown: 'Diese Region gibt es bei diesem Anbieter nicht.',
    region_not_offered: 'Dieser Anbieter oder diese Region wird nicht angeboten.',
    size_missing: 'Wählen Sie einen Instanztyp.',
    size_unknown: 'Diesen Instanztyp gibt es in dieser Region nicht.',
    size_sold_out: '%{size} ist in dieser Region ausverkauft. %{nearest} ist verfügbar.',
    sizes_sold_out:
      '%{size} ist in dieser Region ausverkauft, und auch sonst ist dort nichts Passendes verfügbar. Wählen Sie eine andere Region.',
    size_cpu_one: '%{package} braucht 1 Prozessor.',
    size_cpu: '%{package} braucht %{cpu} Prozessoren.',
    size_memory: '%{package} braucht %{memory} GB Arbeitsspeicher.',
    size_cpu_one_memory: '%{package} braucht 1 Prozessor und %{memory} GB Arbeitsspeicher.',
    size_cpu_memory: '%{package} braucht %{cpu} Prozessoren und %{memory} GB Arbeitsspeicher.',
    package_missing: 'Wählen Sie ein Paket.',
    package_unknown: 'Dieses Paket gibt es nicht.',
    level_missing: 'Wählen Sie die Support-Stufe 1, 2 oder 3.',
    address_missing: 'Geben Sie die IP-Adresse Ihres Servers an.',
    address_malformed:
      'Schreiben Sie die Adresse als vier Zahlen mit Punkten, zum Beispiel 203.0.113.10, oder als IPv6-Adresse.',
    address_not_public: 'Das ist keine öffentliche IP-Adresse.',
    address_in_use: 'Auf diesem Server läuft schon ein anderes Deployment.',
    check_first: 'Prüfen Sie zuerst Ihren Server. Eine Prüfung gilt 24 Stunden.',

    value_missing: '%{label} wird gebraucht.',
    value_missing_with: '%{label} wird zusammen mit %{other} gebraucht.',
    value_taken: '%{label} hat schon diesen Namen; jede Angabe braucht einen eigenen.',
    value_of_package: 'Das Paket selbst verwendet den Namen %{name}; wählen Sie einen anderen.',
    value_long: 'Nehmen Sie höchstens %{most} Zeichen.',
    domain: 'Geben Sie eine Domain ein, die Ihnen gehört, zum Beispiel ihre-domain.de.',
    domain_reserved:
      'Namen in der Zone %{zone} sind reserviert und führen im Internet zu keinem Server. Schreiben Sie eine Domain, die Ihnen gehört.',
    domain_suffix:
      'Unter %{domain} lassen andere ihre Namen eintragen, deshalb kann dieser Name nicht zu Ihrem Server führen. Schreiben Sie eine Domain, die Ihnen gehört, zum Beispiel shop.%{domain}.',
    domain_unknown:
      'Im Internet gibt es keine Namen, die auf .%{zone} enden. Prüfen Sie die Schreibweise und schreiben Sie eine Domain, die Ihnen gehört.',
    contact_reserved:
      'Unter %{domain} empfängt niemand E-Mails, deshalb lehnen Zertifizierungsstellen diese Adresse ab. Geben Sie eine Adresse ein, die Sie lesen.',
    host_label: 'Nehmen Sie einen Namen aus Kleinbuchstaben, Ziffern und Bindestrichen, zum Beispiel admin.',
    key: 'Kopieren Sie den Schlüssel so, wie Sie ihn bekommen haben: Buchstaben, Ziffern und . _ ~ + / = : @ - ohne Leerzeichen.',
    plain_email: 'Nehmen Sie eine E-Mail-Adresse nur aus Buchstaben, Ziffern und . _ % + -',
    admin_is_email: 'Hier ist der Benutzername eine E-Mail-Adresse, nämlich die, mit der Sie sich anmelden werden.',
    admin_is_name:
      'Nehmen Sie 3 bis 255 Buchstaben, Ziffern, Leerzeichen, Unter- und Bindestriche; keine E-Mail-Adresse.',
    password_length: 'Nehmen Sie 12 bis 64 Zeichen.',
    password_characters:
      'Lassen Sie Leerzeichen, Anführungszeichen, umgekehrte Schrägstriche, Gravis, $ und Buchstaben mit Akzenten weg.',
    password_classes: 'Nehmen Sie Groß- und Kleinbuchstaben, eine Ziffer und eines von # ? ! @ % ^ & * -',
    passkey: 'Nehmen Sie 16 bis 200 Buchstaben, Ziffern und ! # % * + . / : = ? @ [ ] ^ _ { } ~ -',
    setup_token: 'Ein Einrichtungscode hat 32 Kleinbuchstaben und Ziffern.',
    enrollment_key: 'Ein Registrierungsschlüssel hat 20 bis 40 Kleinbuchstaben und Ziffern.',
    client_name:
      'Nehmen Sie Buchstaben, Ziffern, Leerzeichen, Punkte, Binde- und Unterstriche, höchstens 64, mit einem Buchstaben oder einer Ziffer am Anfang.',
    database_host: 'Nehmen Sie einen Hostnamen in Kleinbuchstaben.',
    database_user: 'Nehmen Sie Buchstaben, Ziffern, Binde- und Unterstriche, höchstens 63.',
    database_password: 'Nehmen Sie höchstens 200 Buchstaben, Ziffern und ! # % * + , . / : = ? @ [ ] ^ _ { } ~ -',
    repository: 'Nehmen Sie ein Repository wie https://github.com/owner/name.',

    ssh_key_private:
      'Das ist ein privater Schlüssel. Behalten Sie ihn für sich und geben Sie den öffentlichen an (die Datei, die auf .pub endet).',
    ssh_key_lines: 'Geben Sie den öffentlichen Schlüssel als eine Zeile an, ohne Zeilenumbrüche.',
    ssh_key_long: 'Eine Zeile mit einem öffentlichen Schlüssel hat höchstens %{most} Zeichen.',
    ssh_key_type: 'Beginnen Sie die Zeile mit der Art des Schlüssels, zum Beispiel „ssh-ed25519“.',
    ssh_key_damaged: 'Der Schlüssel ist beschädigt. Kopieren Sie die ganze Zeile der .pub-Datei.',
    ssh_key_bits: 'Ein RSA-Schlüssel braucht mindestens %{bits} Bit.',
    ssh_key_comment:
      'Lassen Sie den Kommentar hinter dem Schlüssel weg, oder nehmen Sie darin Buchstaben, Ziffern und @ . _ + : , -',

    balance_owed:
      'Das Konto schuldet %{owed} aus einer zurückgeholten Zahlung. Zahlen Sie zuerst ein, um das zu begleichen.',
    balance_too_low:
      'Dafür müssen %{needed} auf Ihrem Konto sein, verfügbar sind %{available}. Zahlen Sie ein und versuchen Sie es noch einmal.',
    credit_only:
      'Mit Gratisguthaben allein kann ein Deployment auf einmal laufen, für höchstens %{hourly} pro Stunde. Zahlen Sie ein, um das aufzuheben.',
    balance_negative: 'Das reguläre Guthaben ist %{balance}; übrig blieben %{left}.',
    credit_unknown: 'Dieses Guthaben gibt es nicht.',
    credit_ended: 'Dieses Guthaben ist verfallen und lässt sich nicht mehr ändern.',
    credit_used: '%{used} dieses Guthabens sind schon verbraucht; darunter lässt es sich nicht setzen.',
    checkout_unknown: 'Diese Zahlung gibt es nicht.',
    difference_unknown: 'Diese Abweichung gibt es nicht.',
    difference_over: 'Diese Abweichung ist nicht mehr offen.',
    card_missing: 'Es ist keine Karte gespeichert. Speichern Sie eine bei Ihrer nächsten Einzahlung.',
    card_expired: 'Die gespeicherte Karte ist abgelaufen. Speichern Sie eine andere bei Ihrer nächsten Einzahlung.',
    month_cap_low: 'Die Monatsgrenze darf nicht unter dem Betrag einer Aufladung liegen.',
    checkout_over: 'Diese Zahlung ist beendet. Beginnen Sie eine neue.',
    checkout_refused:
      'Der Zahlungsanbieter lehnt diese Zahlung ab, ein neuer Versuch hilft nicht. Bitte wenden Sie sich an den Support.',
    checkout_failed: 'Die Zahlung bei Stripe konnte nicht begonnen werden. Versuchen Sie es gleich noch einmal.',
    payment_unknown: 'Diese Zahlung gibt es nicht.',
    payment_not_refundable: 'Nur eine eingegangene Zahlung kann erstattet werden.',
    refund_too_high: 'Von dieser Zahlung können höchstens %{most} erstattet werden.',

    deployment_unknown: 'Dieses Deployment gibt es nicht.',
    deployment_no_domain: 'Dieses Deployment hat keine Domain.',
    deployments_most:
      'Ein Konto kann %{most} Deployments auf einmal haben. Schalten Sie zuerst eines ab, oder fragen Sie uns nach mehr.',
    deployment_changed:
      'Das Deployment hat sich gerade geändert. Sehen Sie noch einmal nach und versuchen Sie es erneut.',
    deployment_edge: 'Ein Deployment im Zustand %{from} kann nicht %{to} werden.',
    deployment_gone: 'Das Deployment ist endgültig gelöscht.',
    not_lost: 'Dieses Deployment hat seinen Server nicht verloren.',
    reopen_deactivated: 'Das Konto dieses Deployments ist deaktiviert. Geben Sie es zuerst wieder frei.',
    not_found_again: 'Der Anbieter zeigt den Server dieses Deployments noch nicht wieder.',
    level_while_running: 'Die Support-Stufe lässt sich nur ändern, solange das Deployment läuft.',
    locked_deactivation: 'Während der Abschaltung sind keine Änderungen möglich',
    locked_provisioning: 'Während der Einrichtung sind keine Änderungen möglich',
    not_now: 'Das geht jetzt nicht.',
    not_restarted: 'Ein Deployment im Zustand „%{status}“ kann nicht neu gestartet werden.',
    not_validated: 'Für ein Deployment im Zustand „%{status}“ kann das DNS nicht noch einmal geprüft werden.',
    not_moved: 'Für ein Deployment im Zustand „%{status}“ lässt sich die Support-Stufe nicht ändern.',
    not_deleted: 'Ein Deployment im Zustand „%{status}“ kann nicht gelöscht werden.',
    not_deactivated: 'Ein Deployment im Zustand „%{status}“ kann nicht abgeschaltet werden.',
    not_cancelled: 'Ein Deployment im Zustand „%{status}“ kann nicht abgebrochen werden.',
    domain_not_changed: 'Die Domain eines Deployments im Zustand „%{status}“ kann nicht geändert werden.',
    deletion_locked: 'Dieses Deployment ist gegen Löschen gesperrt. Heben Sie die Sperre zuerst auf.',
    name_length: 'Nehmen Sie 1 bis %{most} Zeichen.',
    name_characters: 'Lassen Sie Zeilenumbrüche und andere unsichtbare Zeichen weg.',
    domain_same: 'Das Deployment hat diese Domain schon.',
    cancelling: 'Dieses Deployment wird gerade abgebrochen.',
    price_changed: 'Der Preis hat sich von %{before} auf %{now} USD pro Stunde geändert. Es wurde nichts bestellt.',
    not_sold_out: 'Dieses Deployment ist nicht an seiner Größe oder Region gescheitert.',
    ending_dismissed: 'Ausgeblendet.',
    order_key_reused: 'Dieser Idempotency-Key gehört schon zu einer anderen Anfrage. Nehmen Sie einen neuen.',
  },
  server_check: {
    looking: 'Wir sehen uns Ihren Server noch an. Fragen Sie gleich noch einmal.',
    passed: 'Ihr Server ist erreichbar und kann verwendet werden.',
    usable: 'Ihr Server kann verwendet werden.',
    unusable: 'Ihr Server kann nicht verwendet werden.',
    unclear: 'Der Server konnte nicht geprüft werden. Bitte versuchen Sie es noch einmal.',
    unreachable:
      'Wir konnten Port %{port} auf %{address} nicht erreichen. Prüfen Sie die Adresse und die Firewall Ihres Anbieters.',
    too_slow:
      'Wir konnten Port %{port} auf %{address} nicht rechtzeitig erreichen. Prüfen Sie die Adresse und die Firewall Ihres Anbieters.',
    lost: 'Die Verbindung zum Server ist abgebrochen. Bitte versuchen Sie es noch einmal.',
    interrupted: 'Die Prüfung wurde unterbrochen. Bitte versuchen Sie es noch einmal.',
    no_ssh: 'Was auf Port %{port} antwortet, ist kein SSH-Server, mit dem wir sprechen können.',
    no_key_exchange:
      'Der SSH-Server erlaubt keinen Schlüsselaustausch, den wir kennen. Fügen Sie in seiner sshd_config %{ours} zu KexAlgorithms hinzu, laden Sie sshd neu und versuchen Sie es noch einmal.',
    no_host_key_type:
      'Der SSH-Server zeigt keine Art von Host-Key, die wir kennen. Führen Sie auf ihm sudo ssh-keygen -A aus, fügen Sie in seiner sshd_config %{ours} zu HostKeyAlgorithms hinzu, falls es diese Zeile gibt, laden Sie sshd neu und versuchen Sie es noch einmal.',
    no_cipher:
      'Der SSH-Server erlaubt keine Verschlüsselung, die wir kennen. Fügen Sie in seiner sshd_config %{ours} zu Ciphers hinzu, laden Sie sshd neu und versuchen Sie es noch einmal.',
    no_mac:
      'Der SSH-Server erlaubt kein MAC-Verfahren, das wir kennen. Fügen Sie in seiner sshd_config %{ours} zu MACs hinzu, laden Sie sshd neu und versuchen Sie es noch einmal.',
    key_refused:
      'Der Server hat unseren Schlüssel für root abgelehnt. Führen Sie das unten gezeigte Skript auf ihm aus. Wenn Sie das getan haben, hält vielleicht seine sshd_config root fern: Setzen Sie PermitRootLogin auf prohibit-password, nehmen Sie root in AllowUsers und AllowGroups auf, falls es diese Zeilen gibt, und nehmen Sie root aus DenyUsers und DenyGroups heraus. /root/.ssh/authorized_keys muss root gehören, und niemand sonst darf hineinschreiben. Laden Sie sshd neu und versuchen Sie es noch einmal.',
    key_alone:
      'Der Server nimmt unseren Schlüssel an, verlangt aber noch mehr (%{methods}), und das können wir nicht geben. Fügen Sie am Ende seiner sshd_config die Zeilen „Match User root“ und „AuthenticationMethods publickey“ an, laden Sie sshd neu und versuchen Sie es noch einmal.',
    no_keys:
      'Der Server lässt root nur ohne Schlüssel hinein. Setzen Sie in seiner sshd_config PubkeyAuthentication auf yes und, falls es diese Zeile gibt, AuthenticationMethods für root auf publickey. Laden Sie sshd neu und versuchen Sie es noch einmal.',
    odd_answer:
      'Unsere Prüfung lief auf dem Server nicht; er hat geantwortet: %{words}. Wenn die Anmeldung von root an einen Befehl gebunden ist, entfernen Sie ihn: command="..." vor unserem Schlüssel in /root/.ssh/authorized_keys oder ForceCommand in der sshd_config. Versuchen Sie es dann noch einmal.',
    host_key_changed:
      'Die Identität des Servers hat sich seit dem letzten Mal geändert. Wenn Sie ihn neu aufgesetzt haben, prüfen Sie ihn noch einmal, um die neue anzunehmen.',
    host_key_confirmed: 'Sie haben die neue Identität dieses Servers bestätigt. Sein Deployment nimmt sie ab jetzt an.',
    files: 'Der Server lässt uns keine Dateien schreiben. Seine Festplatte ist vielleicht voll oder schreibgeschützt.',
    answers: 'Der Server antwortet auf Port %{port}.',
    key_taken: 'Der Server nimmt unseren Schlüssel an.',
    free: 'Auf ihm läuft kein anderes Deployment.',
    the_package: 'Das Paket',
    unfit: 'Dieser Server erfüllt nicht, was das Paket braucht.',

    root: 'Wir brauchen root oder sudo ohne Passwort.',
    os: 'Ubuntu 22.04/24.04 oder Debian 12 wird gebraucht; gefunden: %{found}.',
    arch: 'Nicht unterstützter Prozessor: %{found}.',
    virtualisation: 'Dieser Server ist ein Container (%{found}); manches vom Kernel fehlt vielleicht.',
    wireguard: 'Dieser Kernel hat kein WireGuard.',
    cpu: '%{package} braucht %{wanted} Prozessoren; gefunden: %{found}.',
    memory: '%{package} braucht %{wanted} MB Arbeitsspeicher; gefunden: %{found} MB.',
    disk: '%{package} braucht %{wanted} GB freien Plattenplatz; gefunden: %{found} GB.',
    port_container:
      'Port %{rule} wird von einem anderen Container benutzt. Halten Sie ihn zuerst an (sudo docker ps zeigt, welcher es ist).',
    port: 'Port %{rule} wird von %{program} benutzt. Halten Sie es zuerst an (z. B. sudo systemctl disable --now %{program}).',
    docker_snap: 'Docker aus snap wird nicht unterstützt.',
    docker_silent: 'Docker ist installiert, antwortet aber nicht. Starten Sie es zuerst.',
    docker_old: 'Docker %{found} ist zu alt (%{wanted} oder neuer wird gebraucht).',
    compose_missing: 'Das Docker-Compose-Plugin fehlt (Paket docker-compose-plugin).',
    compose_old: 'Docker Compose %{found} ist zu alt (%{wanted} oder neuer wird gebraucht).',
    names: 'Ein Container namens %{found} ist schon da. Entfernen Sie ihn zuerst oder benennen Sie ihn um.',
    folder:
      '%{found} ist schon da: Die Software ist hier offenbar installiert. Entfernen Sie sie oder legen Sie den Ordner vorher woandershin.',
    root_login:
      '%{package} verwaltet seinen eigenen Server und meldet sich dort mit einem Schlüssel als root an; das erlaubt sshd nicht. Setzen Sie in sshd_config PermitRootLogin auf prohibit-password und PubkeyAuthentication auf yes, laden Sie sshd neu und versuchen Sie es noch einmal.',
    root_login_unknown:
      'Wir konnten nicht sehen, ob sshd root mit einem Schlüssel hineinlässt; die Software braucht das.',
    systemd: 'systemd läuft nicht; nach einem Neustart müssen die Container vielleicht von Hand gestartet werden.',
    time: 'Die Uhr geht um %{found} Sekunden falsch; Zertifikate würden abgelehnt.',
    outbound: 'Der Server erreicht %{found} nicht.',
    firewall: '%{found} ist aktiv; wir fügen Regeln für die Ports Ihres Pakets hinzu.',
    selinux: 'SELinux erzwingt seine Regeln; Containern kann der Zugriff auf Dateien verwehrt werden.',
    fail2ban: 'fail2ban läuft; lassen Sie unsere Adresse durch, falls es uns sperrt.',
    reboot: 'Der Server wartet auf einen Neustart.',
    apt: 'Die Paketverwaltung ist beschäftigt.',
  },
  step: {
    create_server: 'Der Server konnte beim Anbieter nicht angelegt werden.',
    wait_for_ssh: 'Der Server wurde nicht erreichbar.',
    preflight: 'Der Server konnte nicht geprüft werden.',
    bootstrap: 'Der Server konnte nicht vorbereitet werden.',
    upload_stack: 'Die Dateien konnten nicht auf den Server gebracht werden.',
    start_stack: 'Die Software konnte nicht gestartet werden.',
    restart_stack: 'Die Software konnte nicht neu gestartet werden.',
    check_health: 'Die Software wurde nicht betriebsbereit.',
    validate_dns: 'Die DNS-Einträge konnten nicht geprüft werden.',
    issue_certificate: 'Es wurde kein Zertifikat ausgestellt.',
    finish: 'Das Deployment konnte nicht abgeschlossen werden.',
    remove_stack: 'Die Software konnte noch nicht vom Server entfernt werden.',
    delete_server: 'Der Server konnte beim Anbieter noch nicht gelöscht werden.',
    confirm: 'Der Anbieter hat die Entfernung noch nicht bestätigt.',
    back_up: 'Der jetzige Stand konnte nicht gesichert werden.',
    restore_data: 'Die Sicherung konnte nicht wiederhergestellt werden.',
    swap_data: 'Die wiederhergestellten Daten konnten nicht eingesetzt werden.',
    swap_back: 'Die vorherigen Daten konnten nicht zurückgesetzt werden.',
    gave_up: 'Wir haben aufgegeben, nachdem wir es so lange versucht hatten, wie das dauern darf.',
    slow: 'Das dauert länger als sonst. Wir sind noch dabei.',

    creating: 'Der Anbieter legt den Server an.',
    server_stopped: 'Der Anbieter hat den Server angehalten. Wir warten, bis er wieder läuft.',
    queue: 'Beim Anbieter dürfen wir nur so viele Server auf einmal anlegen. Gleich sind wir an der Reihe.',
    address: 'Der Server hat die Adresse %{address}.',
    starting: 'Der Server startet.',
    software_starting: 'Die Software startet.',
    software_waits_for: 'Die Software startet. Noch nicht bereit: %{parts}.',
    software_stopped: 'Ein Teil der Software läuft nicht mehr: %{parts}.',
    removing: 'Der Anbieter entfernt den Server.',
    removal_unconfirmed: 'Der Anbieter zeigt uns unsere Server gerade nicht. Wir fragen, bis er es wieder tut.',
    removal_refused: 'Der Anbieter weist uns gerade ab. Der Server wird entfernt, sobald er es nicht mehr tut.',
    removed_whole: 'Der Server hat nicht geantwortet; er wird als Ganzes gelöscht.',
    left_behind:
      'Ihr Server war 24 Stunden lang nicht erreichbar, also konnten wir ihn nicht aufräumen. Dort können noch liegen: unsere Container und ihre Volumes (moorage-%{ref}), die Ordner /opt/moorage/%{ref} und /var/lib/moorage/%{ref} und unsere Zeile in authorized_keys.',
    server_lost:
      'Beim Anbieter gibt es diesen Server nicht mehr. Er ging ohne unser Zutun verloren, und es wird nichts mehr berechnet.',

    cloud_unconfirmed:
      'Bei diesem Anbieter dürfen noch keine Server angelegt werden: Ein Administrator muss erst sein Projekt bestätigen. Bitte wählen Sie einen anderen Anbieter.',
    cloud_auth:
      'Wir erreichen unser Konto beim Anbieter gerade nicht. Bitte wählen Sie einen anderen Anbieter oder versuchen Sie es später noch einmal.',
    cloud_permission:
      'Der Anbieter erlaubt uns diese Servergröße in dieser Region gerade nicht. Bitte wählen Sie eine andere Größe oder Region.',
    cloud_quota:
      'Unser Konto bei diesem Anbieter hat seine Höchstzahl an Servern erreicht. Bitte wählen Sie einen anderen Anbieter oder versuchen Sie es später noch einmal.',
    cloud_capacity:
      'Diese Servergröße ist in dieser Region ausverkauft. Bitte wählen Sie eine andere Größe oder Region.',
    cloud_not_found: 'Der Anbieter bietet diese Region, Größe oder dieses Abbild nicht mehr an. Bitte wählen Sie neu.',
    cloud_invalid: 'Der Anbieter bietet diese Größe in dieser Region nicht an. Bitte wählen Sie neu.',
    cloud_conflict: 'Der Anbieter ist mit diesem Server noch beschäftigt.',
    cloud_transient: 'Beim Anbieter gibt es gerade ein Problem. Wir versuchen es weiter.',
    cloud_unknown: 'Dieser Cloud-Anbieter ist nicht bekannt.',
    cloud_lost: 'Dem Anbieter ging der Server verloren, während er angelegt wurde.',
    cloud_twice: 'Ein anderer Server dieses Deployments ist schon da.',

    ssh_unreachable: 'Der Server antwortet nicht.',
    ssh_unreachable_own: 'Ihr Server antwortet nicht. Ist er eingeschaltet, und ist Port 22 für uns offen?',
    ssh_key_refused: 'Der Server hat unseren Schlüssel abgelehnt.',
    ssh_key_refused_own:
      'Ihr Server hat unseren Schlüssel für root abgelehnt. Führen Sie das Skript noch einmal auf ihm aus. Wenn Sie das getan haben, hält vielleicht seine sshd_config root fern: Setzen Sie PermitRootLogin auf prohibit-password, nehmen Sie root in AllowUsers und AllowGroups auf, falls es diese Zeilen gibt, und laden Sie sshd neu.',
    ssh_host_key_changed:
      'Die Identität des Servers (sein SSH-Host-Key) ist nicht die, die wir kennen. Sicherheitshalber haben wir aufgehört.',
    ssh_host_key_changed_own:
      'Die Identität Ihres Servers (sein SSH-Host-Key) ist nicht die, die wir kennen. Sicherheitshalber haben wir aufgehört. Wenn Sie ihm neue Schlüssel gegeben haben, geben Sie seine Adresse bei einem neuen Deployment ein und prüfen Sie ihn: Der Fingerabdruck des neuen Schlüssels wird zum Vergleichen gezeigt. Prüfen Sie ihn noch einmal, um den Schlüssel zu bestätigen, und versuchen Sie es dann hier wieder. Bestellen müssen Sie dafür nichts.',
    ssh_protocol: 'Was unter der Adresse des Servers antwortet, ist kein SSH-Server, mit dem wir sprechen können.',
    ssh_deadline: 'Der Server hat zu lange für die Antwort gebraucht.',
    ssh_aborted: 'Der Server hat zu lange gebraucht.',
    ssh_lost: 'Die Verbindung zum Server ist abgebrochen.',
    ssh_no_sudo: 'Wir brauchen auf dem Server root oder sudo ohne Passwort.',
    ssh_files:
      'Der Server hat unsere Dateien nicht angenommen. Seine Festplatte ist vielleicht voll oder schreibgeschützt.',

    script_overtaken: 'Auf diesem Server ist etwas Neueres am Werk.',
    script_busy: 'Der Server ist noch mit dem vorigen Schritt beschäftigt.',
    script_silent: 'Der Server hat nicht geantwortet.',
    script_cut_off: 'Die Verbindung zum Server endete vor der Antwort.',
    script_docker_down: 'Docker antwortet auf dem Server nicht.',
    script_docker_failed: 'Docker konnte auf dem Server nicht installiert werden.',
    script_packages_failed: 'Die Pakete, die die Software braucht, konnten auf dem Server nicht installiert werden.',
    script_access_failed: 'Ihr SSH-Schlüssel konnte auf dem Server nicht hinterlegt werden.',
    script_no_stack: 'Die Dateien der Software fehlen auf dem Server.',
    script_pull_failed: 'Ein Abbild der Software konnte nicht auf den Server geladen werden.',
    script_not_healthy: 'Die Software wurde gestartet, aber nicht betriebsbereit.',
    script_parts_not_healthy: 'Die Software wurde gestartet, aber diese Teile wurden nicht betriebsbereit: %{parts}.',
    script_first_step_failed: 'Die Software konnte nach ihrem ersten Start nicht eingerichtet werden.',
    script_first_step_failed_at: 'Die Software konnte nach ihrem ersten Start nicht eingerichtet werden (%{step}).',
    script_first_step_refused:
      'Die Software hat das erste Verwaltungskonto nicht angenommen. Die Domain der E-Mail-Adresse muss es geben, und das Passwort darf aus keinem Leck bekannt sein. Bitte bestellen Sie mit anderen Angaben noch einmal.',
    script_prepare_failed: 'Was die Software auf dem Server braucht, konnte nicht vorbereitet werden.',
    script_router_step_failed: 'Der Software konnte ihre Adresse nicht mitgeteilt werden.',
    script_folder_taken: 'Die Software ist auf diesem Server offenbar schon installiert.',
    script_disk_full: 'Die Festplatte des Servers ist voll.',
    script_port_taken:
      'Ein anderes Programm auf dem Server benutzt Port 80 oder 443. Halten Sie es an und versuchen Sie es noch einmal.',
    script_host_key_failed: 'Die Identität des Servers konnte nicht erneuert werden.',
    script_left_behind: 'Etwas konnte noch nicht vom Server entfernt werden.',
    script_failed: 'Der Server konnte nicht tun, was von ihm verlangt war.',

    server_unknown: 'Der Server ist nicht bekannt.',
    address_unknown: 'Die Adresse des Servers ist nicht bekannt.',
    identity_unknown: 'Die Adresse oder die Identität dieses Servers ist nicht bekannt.',
    identity_pending: 'Der Server zeigt seine neue Identität noch nicht.',
    key_missing: 'Der Schlüssel für diesen Server fehlt.',
    keys_missing: 'Die Schlüssel des Servers fehlen.',
    unchecked: 'Dieser Server wurde noch nicht geprüft.',
    order_incomplete: 'Die Bestellung nennt keine Region oder Größe.',
    value_unwritable: 'Eine Angabe dieses Deployments kann nicht in seine Konfiguration geschrieben werden.',
    package_gone: 'Dieses Paket ist nicht mehr im Katalog.',
    platform_new: 'Die Plattform ist noch nicht eingerichtet.',
  },
  dns: {
    waiting: 'Wir warten auf die DNS-Einträge.',
    none: 'Es gibt noch keinen %{type}-Eintrag für %{host}. Legen Sie einen %{type}-Eintrag für %{host} mit dem Wert %{value} an.',
    wrong_address:
      '%{host} führt zu %{addresses}, nicht zu Ihrem Server. Ändern Sie das in einen %{type}-Eintrag für %{host} mit dem Wert %{value}.',
    several_addresses: '%{host} hat mehrere Adressen (%{addresses}). Behalten Sie nur %{value}.',
    cname_elsewhere:
      '%{host} ist ein Alias (CNAME) von %{cname}, und das ist nicht Ihr Server. Ersetzen Sie ihn durch einen %{type}-Eintrag für %{host} mit dem Wert %{value}.',
    cname_unknown:
      '%{host} ist ein Alias (CNAME) eines anderen Namens, und das ist nicht Ihr Server. Ersetzen Sie ihn durch einen %{type}-Eintrag für %{host} mit dem Wert %{value}.',
    aaaa_elsewhere: '%{host} hat einen AAAA-Eintrag (%{addresses}), der nicht Ihr Server ist. Entfernen Sie ihn.',
    proxied: '%{host} läuft über den Proxy von Cloudflare. Stellen Sie auf „DNS only“ um.',
    zone_silent: 'Die Nameserver von %{host} antworten nicht (%{error}).',
    no_answer: '%{host} konnte nicht nachgeschlagen werden (%{error} von %{resolver}).',
    not_everywhere_one:
      'Der Eintrag für %{host} stimmt, aber noch nicht überall: %{resolver} gibt noch eine andere Antwort. Das kann etwas dauern.',
    not_everywhere:
      'Der Eintrag für %{host} stimmt, aber noch nicht überall: %{resolvers} geben noch eine andere Antwort. Das kann etwas dauern.',
    not_right: 'Der Eintrag für %{host} stimmt noch nicht.',
    caa_forbids:
      'Ein CAA-Eintrag von %{host} erlaubt %{authority} nicht, Zertifikate auszustellen. Fügen Sie einen hinzu, der das tut, oder entfernen Sie ihn.',
    caa_unreadable:
      'Ein CAA-Eintrag von %{name} hat keinen Wert oder ist nicht lesbar. Einer ohne Wert erlaubt niemandem, Zertifikate auszustellen. Entfernen Sie ihn, oder setzen Sie an seine Stelle einen, der %{authority} erlaubt.',
    caa_method:
      'Ein CAA-Eintrag von %{name} erlaubt %{authority} Zertifikate nur nach einer anderen Art der Prüfung. Ergänzen Sie %{method} in seinen validationmethods, oder entfernen Sie diese.',
    caa_account:
      'Ein CAA-Eintrag von %{name} erlaubt %{authority} Zertifikate nur für ein anderes Konto. Entfernen Sie accounturi daraus, oder fügen Sie einen Eintrag ohne accounturi hinzu.',
    caa_critical:
      'Ein kritischer CAA-Eintrag von %{name} hat die Eigenschaft „%{tag}“, die keine Zertifizierungsstelle kennt; deshalb stellt keine ein Zertifikat aus. Entfernen Sie diesen Eintrag.',
    caa_unanswered:
      'Die CAA-Einträge von %{name} konnten nicht nachgeschlagen werden (%{error}), und ohne Antwort wird kein Zertifikat ausgestellt. Prüfen Sie dort, wo Sie die Domain verwalten, dass alle Nameserver antworten, auch auf die Frage nach CAA-Einträgen, die es nicht gibt.',
  },
  certificate: {
    asking: 'Der Router beantragt ein Zertifikat.',
    authority_says: 'Die Zertifizierungsstelle sagt: %{words}',
    none_good: 'Für %{host} gibt es noch kein gutes Zertifikat.',
    unreachable: '%{host} antwortet nicht auf Port 443. Prüfen Sie die Firewall Ihres Anbieters.',
    not_issued: 'Für %{host} wurde noch kein Zertifikat ausgestellt.',
    wrong_issuer: 'Das Zertifikat von %{host} kommt von einer anderen Stelle als erwartet (%{issuer}).',
    staging: 'Das Zertifikat von %{host} kommt von einer Teststelle, der Browser nicht vertrauen.',
    wrong_name: 'Das für %{host} gezeigte Zertifikat gilt für einen anderen Namen.',
    expired: 'Das Zertifikat von %{host} ist abgelaufen.',
    expires_soon: 'Das Zertifikat von %{host} läuft in weniger als 20 Tagen ab und wurde nicht erneuert.',
    refused_connection:
      'Die Zertifizierungsstelle konnte %{host} auf Port 80 nicht erreichen. Prüfen Sie die Firewalls Ihres Anbieters und Ihres Servers.',
    refused_dns:
      'Die Zertifizierungsstelle konnte %{host} nicht nachschlagen. Prüfen Sie dort, wo Sie die Domain verwalten, ob alle ihre Nameserver antworten.',
    refused_unauthorized:
      'Die Zertifizierungsstelle hat unter %{host} einen anderen Server erreicht. Entfernen Sie jeden A- und AAAA-Eintrag des Namens, der nicht Ihr Server ist.',
    refused_caa:
      'Die Zertifizierungsstelle darf für %{host} kein Zertifikat ausstellen: Ein CAA-Eintrag verbietet es. Ändern oder entfernen Sie diesen Eintrag.',
    refused_rate:
      'Die Zertifizierungsstelle wurde zu oft nach %{host} gefragt und stellt vorerst kein Zertifikat aus. Warten Sie, bevor Sie es erneut versuchen.',
    refused_identifier:
      'Die Zertifizierungsstelle lehnt es ab, für den Namen %{host} ein Zertifikat auszustellen. Nötig ist ein neues Deployment mit einem anderen Namen.',
    refused_server:
      'Die Zertifizierungsstelle hat selbst eine Störung und hat für %{host} kein Zertifikat ausgestellt. Versuchen Sie es später erneut.',
    refused_other: 'Die Zertifizierungsstelle hat für %{host} kein Zertifikat ausgestellt.',
    page_silent: '%{url} antwortet nicht.',
    page_wrong: '%{url} antwortet mit %{answer}; so antwortet eine laufende Anwendung nicht.',
    page_otherwise: '%{url} antwortet nicht so, wie es sollte.',
  },
};
