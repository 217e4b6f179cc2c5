# SPDX-License-Identifier: Apache-2.0
# Sourced by what builds for other processors: their names, and Debian packages of theirs.

need() { # need COMMAND
    command -v "$1" >/dev/null || { echo "$1 is not installed: tools/packages targets" >&2; exit 1; }
}

# Unpacks Debian packages of another processor, with apt's state for it in the same folder. An outdated list
# of packages is harmless as long as the packages are found.
unpack() ( # unpack DEBIAN-NAME FOLDER PACKAGE...
    arch=$1
    place=$PWD/$2
    shift 2
    mkdir -p "$place/apt/lists/partial" "$place/apt/cache/archives/partial" "$place/debs"
    : >"$place/apt/status"
    cat >"$place/apt.conf" <<CONF
APT::Architecture "$arch";
APT::Architectures { "$arch"; };
APT::Sandbox::User "root";
Dir::State "$place/apt";
Dir::State::status "$place/apt/status";
Dir::Cache "$place/apt/cache";
CONF
    export APT_CONFIG="$place/apt.conf"
    cd "$place/debs"
    apt-get -q update >../apt.log 2>&1 || true
    apt-get -q download "$@" >>../apt.log 2>&1 || { tail -n 5 ../apt.log >&2; exit 1; }
    for deb in *.deb; do dpkg -x "$deb" ../root; done
)

# Sets triplet, emulator, processor and place of a machine: where what is for it is built.
foreign() { # foreign arm64 | armhf | s390x
    case $1 in
    arm64) triplet=aarch64-linux-gnu emulator=qemu-aarch64 processor=aarch64 ;;
    armhf) triplet=arm-linux-gnueabihf emulator=qemu-arm processor=arm ;;
    s390x) triplet=s390x-linux-gnu emulator=qemu-s390x processor=s390x ;;
    *) return 1 ;;
    esac
    need "$triplet-gcc"
    need "$emulator"
    place=build/target-$1
    mkdir -p "$place"
}

# Builds a target there.
foreign_cmake() { # foreign_cmake FOLDER TARGET OPTION...
    folder=$1 wanted=$2
    shift 2
    PKG_CONFIG_LIBDIR="$PWD/$place/root/usr/lib/$triplet/pkgconfig" PKG_CONFIG_SYSROOT_DIR="$PWD/$place/root" \
        cmake -S . -B "$place/$folder" -G Ninja -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR="$processor" \
        -DCMAKE_C_COMPILER="$triplet-gcc" -DCFPC_OPENMP=OFF -DCFPC_WERROR=ON "$@" \
        >"$place/$folder.configure.log" 2>&1 || { tail -n 20 "$place/$folder.configure.log" >&2; exit 1; }
    cmake --build "$place/$folder" --target "$wanted" >"$place/$folder.log" 2>&1 || { tail -n 30 "$place/$folder.log" >&2; exit 1; }
}
