package meta

import "runtime/debug"

// Program names what made a file: instanton and its version, which the Go command takes from the tag or the commit.
func Program() string {
	version := "(unknown)"
	if info, ok := debug.ReadBuildInfo(); ok {
		version = info.Main.Version
	}
	return "instanton " + version
}
