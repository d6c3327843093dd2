# shellcheck shell=sh disable=SC2154 # follows common.sh
# Reboots the machine if it still runs in the boot `boot`, so that a repeated call never reboots it twice.
boot=$(cat /proc/sys/kernel/random/boot_id)
fact="\"boot_id\":$(text "$boot" 36)"
[ "$(arg boot)" = "$boot" ] || answer true DONE "$fact"

# The locks of dpkg and apt. A reboot would leave packages half installed.
for lock in lock lock-frontend; do
  inode=$(stat -c %i "/var/lib/dpkg/$lock" 2> /dev/null) || continue
  ! grep -q ":$inode 0 " /proc/locks || answer false PACKAGES_BUSY "$fact"
done

# The answer has to arrive before the connection ends.
timer=moorage-$ref-reboot
under_way() { systemctl --quiet is-active "$timer.timer" || [ "$(systemctl is-system-running)" = stopping ]; }
under_way || systemd-run --quiet --collect --on-active=2 --unit "$timer" systemctl reboot || under_way || answer false REBOOT_FAILED "$fact"
answer true DONE "$fact"
