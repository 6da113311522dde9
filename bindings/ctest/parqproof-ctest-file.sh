# FILE LIST NEW... -- CHECK...
# The case of one file. One that a test has removed is skipped if the case of new files ran with this list, and otherwise
# is that case itself.
file=$1
list=$2
shift 2
if [ -e "$file" ] || [ -L "$file" ]; then
  while [ "$1" != -- ]; do shift; done
  shift
  exec "$@" -- "$file"
fi
echo "$file is gone"
[ ! -e "$list.checked" ] || exit 77
exec "$@"
