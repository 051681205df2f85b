// Package architecture checks what docs/architecture.md says about the module: every package has a row,
// imports point down the rows, exported signatures name no internal type, and lines are short.
package architecture

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const (
	root   = "../.."
	module = "instanton/"
)

// source is one Go file of the module.
type source struct {
	name    string // relative to the root, with slashes
	text    string
	file    *ast.File
	fileSet *token.FileSet
}

func (s source) test() bool { return strings.HasSuffix(s.name, "_test.go") }

// pkg is the package of the file, without the module's name.
func (s source) pkg() string { return path.Dir(s.name) }

// imports maps the names that the file gives to packages of the module to those packages.
func (s source) imports() map[string]string {
	found := map[string]string{}
	for _, spec := range s.file.Imports {
		full, _ := strconv.Unquote(spec.Path.Value) // the parser has read it
		p, ours := strings.CutPrefix(full, module)
		if !ours {
			continue
		}
		name := path.Base(p)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		found[name] = p
	}
	return found
}

// sources reads the Go files of the module, for all systems, without those of modules inside it.
func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			_, err := os.Stat(filepath.Join(name, "go.mod"))
			hidden := strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "_")
			if name != root && (hidden || d.Name() == "testdata" || err == nil) {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(name) != ".go" {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		s := source{name: filepath.ToSlash(relative), text: string(text), fileSet: token.NewFileSet()}
		s.file, err = parser.ParseFile(s.fileSet, s.name, text, parser.SkipObjectResolution|parser.ParseComments)
		all = append(all, s)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
