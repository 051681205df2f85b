package architecture

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestPlatforms type-checks the module for systems on which it is released but not tested. It finds what a
// cross-compilation would find, in a tenth of the time: the function bodies of other modules are left out.
func TestPlatforms(t *testing.T) {
	if testing.Short() {
		t.Skip("type-checks every dependency for three systems")
	}
	for _, target := range []string{"linux/arm64", "darwin/arm64", "windows/amd64"} {
		t.Run(target, func(t *testing.T) {
			t.Parallel()
			system, processor, _ := strings.Cut(target, "/")
			check(t, system, processor)
		})
	}
}

// listed is what `go list -json` says of a package.
type listed struct {
	Dir, ImportPath string
	GoFiles, SFiles []string
	ImportMap       map[string]string
	Module          *struct{ GoVersion string }
}

// importer returns the packages that have been checked already, by the names that the importing package uses.
type importer struct {
	names   map[string]string
	checked map[string]*types.Package
}

func (i importer) Import(name string) (*types.Package, error) {
	if full, ok := i.names[name]; ok {
		name = full
	}
	if p, ok := i.checked[name]; ok {
		return p, nil
	}
	return nil, errors.New("not listed before its importer: " + name)
}

// check type-checks every package after its dependencies, the order in which go list writes them.
func check(t *testing.T, system, processor string) {
	list := exec.Command("go", "list", "-deps", "-json=Dir,ImportPath,GoFiles,SFiles,ImportMap,Module", "./...")
	list.Dir = root
	list.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
	list.Stderr = os.Stderr
	out, err := list.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := list.Start(); err != nil {
		t.Fatal(err)
	}
	checked := map[string]*types.Package{"unsafe": types.Unsafe}
	for packages := json.NewDecoder(out); ; {
		var p listed
		if err := packages.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if p.ImportPath == "unsafe" {
			continue
		}
		fileSet := token.NewFileSet()
		var files []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(fileSet, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		if len(p.SFiles) == 0 && strings.HasPrefix(p.ImportPath, module) {
			stubs(t, fileSet, files)
		}
		c := types.Config{
			Importer:         importer{p.ImportMap, checked},
			Sizes:            types.SizesFor("gc", processor),
			IgnoreFuncBodies: !strings.HasPrefix(p.ImportPath, module),
		}
		if p.Module != nil {
			c.GoVersion = "go" + p.Module.GoVersion
		}
		if checked[p.ImportPath], err = c.Check(p.ImportPath, fileSet, files, nil); err != nil {
			t.Fatalf("%s: %v", p.ImportPath, err)
		}
	}
	if err := list.Wait(); err != nil {
		t.Fatal(err)
	}
}

// stubs reports functions without a body in a package that has no assembly for the system: the compiler refuses them,
// the type checker does not.
func stubs(t *testing.T, fileSet *token.FileSet, files []*ast.File) {
	for _, file := range files {
		for _, declaration := range file.Decls {
			if f, ok := declaration.(*ast.FuncDecl); ok && f.Body == nil {
				t.Errorf("%s: %s has no body and no assembly", fileSet.Position(f.Pos()), f.Name.Name)
			}
		}
	}
}
